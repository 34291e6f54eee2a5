"""What a column's name says: its role, and the unit of its times."""

from __future__ import annotations

import re
import unicodedata
from typing import Literal

INDEX_NAMES = frozenset(
    """
    index idx row rows row_id row_number rownum no nr num number n count counter sample sample_id
    sample_no sample_number sample_index point obs observation record id packet lfd_nr line # № 序号
    """.split()  # noqa: SIM905
)
Role = Literal["id", "group", "time", "date", "channel", "label", "instance label", "split"]

NAMES: dict[Role, str] = {
    "id": """
        id series series_id seriesid sample sample_id sampleid case case_id caseid trial trial_id recording
        recording_id record record_id file filename file_name name uid uuid window window_id segment segment_id
        episode episode_id epoch sequence sequence_id ts_id unit unit_id unique_id key instance instance_id
        编号 序列 样本 様本 サンプル 시계열 probe номер образец muestra échantillon
    """,
    "group": """
        group group_id subject subject_id subjectid patient patient_id participant participant_id person person_id
        user user_id volunteer session session_id
        受试者 被试 患者 被験者 대상자 proband patientin пациент испытуемый sujet sujeto paciente
    """,
    "time": """
        t time timestamp timestamps time_stamp datetime date_time date seconds second secs sec s ms millis
        step timestep time_step time_index time_point timepoint frame tick
        epoch_s epoch_ms minutes hours reading_id 时间 時間 时间戳 時刻 日期 日時 시간 zeit zeitstempel datum
        время дата temps horodatage tiempo fecha tempo
    """,
    "channel": """
        channel channel_name channel_id dim dim_id dimension variable sensor signal kind feature metric lead
        electrode parameter measure axis
    """,
    "label": """
        label labels class classes class_label classlabel target y category activity outcome diagnosis
        ground_truth species gesture condition 类别 类 标签 分类 類別 標籤 ラベル クラス 라벨 클래스
        klasse etikett класс метка classe étiquette clase etiqueta
    """,
    "instance label": """
        instance_label instance_labels instancelabel point_label time_point_label annotation instance_class
    """,
    "split": "split part partition subset set train_test fold",
}
_BY_NAME: dict[str, Role] = {name: role for role, names in NAMES.items() for name in names.split()}
LONGEST = 200  # characters of a name that is looked at: a longer one tells nothing
VALUE_NAMES = ("value", "values", "val", "reading", "measurement", "series_value", "y")

SECONDS_PER_UNIT: dict[str, float] = {
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds", "秒"), 1.0),
    **dict.fromkeys(("ms", "millis", "millisecond", "milliseconds", "msec", "毫秒"), 1e-3),
    **dict.fromkeys(("us", "μs", "microseconds"), 1e-6),
    **dict.fromkeys(("ns", "nanoseconds"), 1e-9),
    **dict.fromkeys(("min", "minute", "minutes"), 60.0),
    **dict.fromkeys(("h", "hour", "hours"), 3600.0),
}


def plain(name: str) -> str:
    """Return a name in lower case with anything between words as one underscore: ``Time [s]`` is ``time_s``."""
    return re.sub(r"[\W_]+", "_", unicodedata.normalize("NFKC", name[:LONGEST]).casefold()).strip("_")


def role_of_name(name: str) -> Role | None:
    """Return the role that a column's name stands for, None where it stands for none; a unit behind it is no matter."""
    words = plain(name)
    head, _, unit = words.rpartition("_")
    return _BY_NAME.get(words) or ("time" if unit in SECONDS_PER_UNIT and _BY_NAME.get(head) == "time" else None)


def seconds_per_unit(name: str) -> float | None:
    """Return how long the unit is that a time column's name tells, in seconds: the last word of ``time_ms``."""
    return SECONDS_PER_UNIT.get(plain(name).rpartition("_")[2])
