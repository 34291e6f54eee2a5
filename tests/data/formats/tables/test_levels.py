"""Names in two rows: joined where the other row tells names apart that occur more than once."""

from __future__ import annotations

import pytest

from tests.data.formats.reading import read, told

BODY = "\n".join(f"{'ab'[n // 4]},{n % 4},{n}.5,{n + 1}.25,{n + 2}.75,{'xy'[n // 4]}" for n in range(8))
JOINED = ("accel x", "accel y", "gyro x")


@pytest.mark.parametrize(
    "head",
    [
        ",,accel,accel,gyro,\nid,time,x,y,x,label",
        ",,accel,,gyro,\nid,time,x,y,x,label",  # merged cells
        "id,time,accel,accel,gyro,label\n,,x,y,x,",
        "id,time,accel,accel,gyro,label\n,,x,y,x,\n,s,g,g,deg/s,",
    ],
)
def test_a_sensor_over_its_axes(head: str) -> None:
    made = read(f"{head}\n{BODY}", name="mine.csv")
    assert made.channel_names == JOINED
    assert made.class_names == ("x", "y")
    assert made.series[0][:, 0].tolist() == [0.5, 1.25, 2.75]
    lines = told(f"{head}\n{BODY}", name="mine.csv")
    assert any(
        "Two rows name the columns; they were joined: 'accel x', 'accel y', 'gyro x'" in one.text for one in lines
    )
    assert not any("The table begins in row 2" in one.text for one in lines)


def test_names_that_are_told_apart_by_one_row_are_left_to_it() -> None:
    made = read(f"a recording,of May,of a,walk,,\nid,time,x,y,z,label\n{BODY}", name="mine.csv")
    assert made.channel_names == ("x", "y", "z")


def test_units_tell_no_names_apart() -> None:
    made = read(f"id,time,x,x,z,label\n,s,g,mV,g,\n{BODY}", name="mine.csv")
    assert made.channel_names == ("x", "x (2)", "z")
