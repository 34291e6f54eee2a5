"""``.arff`` files: flat and relational, with and without a class, of equal and unequal lengths."""

import numpy as np
import pytest

from tests.data.formats.reading import inspect, read, refused, values
from timemil_core.errors import DataError

FLAT = """% a comment
@relation Toy
@attribute att1 numeric
@attribute att2 REAL
@attribute 'target class' {1,2}

@data
0.5,1.5,1
-0.25,?,2
"""
RELATIONAL = """@relation Toy
@attribute relationalAtt relational
  @attribute t0 numeric
  @attribute t1 numeric
  @attribute t2 numeric
@end relationalAtt
@attribute class {Up,Down}
@data
'1.0,2.0,3.0\\n10,20,30',Up
'4.0,5.0\\n40,50','Down'
"""


@pytest.mark.pitfall(1)
def test_a_flat_file():
    made = read(FLAT, name="Toy_TRAIN.arff")
    assert (made.name, made.class_names, made.n_channels) == ("Toy", ("1", "2"), 1)
    assert values(made) == [[[0.5, 1.5]], [[-0.25]]]  # a missing value at the end is padding
    assert inspect(FLAT, name="Toy_TRAIN.arff").title == "an .arff file of Weka"


@pytest.mark.pitfall(1, 10)
def test_a_relational_file_of_unequal_lengths():
    made = read(RELATIONAL, name="a.arff")
    assert made.class_names == ("Down", "Up")
    assert values(made) == [[[1, 2, 3], [10, 20, 30]], [[4, 5], [40, 50]]]


@pytest.mark.pitfall(2)
def test_without_a_class_the_last_value_stays_a_value():
    text = FLAT.replace("@attribute 'target class' {1,2}\n", "@attribute att3 numeric\n")
    made = read(text, name="a.arff")
    assert (made.labels.tolist(), made.lengths.tolist()) == ([-1, -1], [3, 3])
    np.testing.assert_array_equal(made.series[1], [[-0.25, np.nan, 2]])
    assert any(line.kind == "warning" for line in inspect(text, name="a.arff").lines)


def test_a_class_that_comes_first_and_an_id():
    text = (
        "@relation T\n@attribute class {a,b}\n@attribute name string\n@attribute x numeric\n@data\na,one,1\nb,two,2\n"
    )
    made = read(text, name="a.arff")
    assert (made.series_ids, values(made)) == (("one", "two"), [[[1]], [[2]]])


@pytest.mark.parametrize(
    ("old", "new", "where", "message"),
    [
        ("-0.25,?,2", "-0.25,?", "line 9", "holds 2 values; 3 attributes"),
        ("0.5,1.5,1", "0.5,much,1", "line 8", "'much' is not a number"),
        ("0.5,1.5,1", "{0 0.5, 2 1}", "line 8", "Sparse rows cannot be read"),
        ("@attribute att2 REAL", "@attribute", "line 4", "declares no attribute"),
        ("@data", "@end", "a.arff", "announces no series"),
    ],
)
def test_mistakes_are_placed_by_their_line(old, new, where, message):
    with pytest.raises(DataError) as caught:
        read(FLAT.replace(old, new), name="a.arff")
    assert message in caught.value.problem
    assert where in caught.value.where


def test_series_of_different_channels_are_refused():
    text = RELATIONAL.replace("'4.0,5.0\\n40,50'", "'4.0,5.0'")
    with pytest.raises(DataError, match="differ in the number of channels"):
        read(text, name="a.arff")


@pytest.mark.pitfall(23)
def test_a_relation_that_would_be_laid_out_too_large_is_refused(monkeypatch):
    monkeypatch.setenv("TIMEMIL_MAX_VALUES", "5")
    assert "has 6 values; at most 5 are read" in refused(RELATIONAL, name="a.arff").problem
