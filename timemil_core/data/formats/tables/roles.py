"""What a column's name says of its role."""

from __future__ import annotations

import re
from typing import Literal

Role = Literal["id", "group", "time", "channel", "label", "instance label", "split"]

NAMES: dict[Role, str] = {
    "id": """
        id series series_id seriesid sample sample_id sampleid case case_id caseid trial trial_id recording
        recording_id record record_id file filename file_name name uid uuid window window_id segment segment_id
        episode episode_id sequence sequence_id ts_id unit unit_id unique_id key instance instance_id
    """,
    "group": """
        group group_id subject subject_id subjectid patient patient_id participant participant_id person person_id
        user user_id volunteer session session_id
    """,
    "time": """
        t time timestamp timestamps time_stamp datetime date_time date seconds second secs sec s ms millis
        step timestep time_step time_index time_point timepoint frame tick t_s t_ms time_s time_sec time_seconds
        time_ms time_us time_ns time_min minutes hours timestamp_s timestamp_ms epoch_s epoch_ms reading_id
    """,
    "channel": """
        channel channel_name channel_id dim dim_id dimension variable sensor signal kind feature metric lead
        electrode parameter measure axis
    """,
    "label": """
        label labels class classes class_label classlabel target y category activity outcome diagnosis
        ground_truth species gesture
    """,
    "instance label": """
        instance_label instance_labels instancelabel point_label time_point_label annotation instance_class
    """,
    "split": "split part partition subset set train_test fold",
}
_BY_NAME: dict[str, Role] = {name: role for role, names in NAMES.items() for name in names.split()}
VALUE_NAMES = ("value", "values", "val", "reading", "measurement", "series_value", "y")
LONGEST = 200  # characters; a longer name tells nothing

SECONDS_PER_UNIT: dict[str, float] = {
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), 1.0),
    **dict.fromkeys(("ms", "millis", "millisecond", "milliseconds", "msec"), 1e-3),
    **dict.fromkeys(("us", "µs", "μs", "microseconds"), 1e-6),
    **dict.fromkeys(("ns", "nanoseconds"), 1e-9),
    **dict.fromkeys(("min", "minute", "minutes"), 60.0),
    **dict.fromkeys(("h", "hour", "hours"), 3600.0),
}


def plain(name: str) -> str:
    """Return a name in lower case with anything between words as one underscore: ``Time [s]`` is ``time_s``."""
    return re.sub(r"[^0-9a-zµμ]+", "_", name[:LONGEST].strip().lower()).strip("_")


def role_of_name(name: str) -> Role | None:
    """Return the role that a column's name stands for, None where it stands for none."""
    return _BY_NAME.get(plain(name))


def seconds_per_unit(name: str) -> float | None:
    """Return how long the unit is that a time column's name tells, in seconds: the last word of ``time_ms``."""
    return SECONDS_PER_UNIT.get(plain(name).rpartition("_")[2])
