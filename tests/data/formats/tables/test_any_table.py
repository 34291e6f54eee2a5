"""Whatever the bytes: a table reads, or is refused by our own error."""

from hypothesis import given, settings
from hypothesis import strategies as st

from timemil_core.data.files.source import from_bytes
from timemil_core.data.formats import inspect_files, read_files
from timemil_core.errors import DataError

NUMBERS = ("1", "2", "0.5", "-3", "1e5", "1e999", "1,5", "9" * 40, "0x1f", "1_000", "inf", "²", "1.234,5")
WORDS = ("", "NA", "?", "a", "walk", "true", "train", '"x', "'", "é", "\x00", "\u2028", "\ufeff", "=1", "'=1")
TIMES = ("2024-01-01", "01/02/2024", "12:00", "1700000000", "45322.5")
CELL = st.sampled_from((*NUMBERS, *WORDS, *TIMES))
NAME = st.sampled_from(
    (
        *("id", "time", "label", "x", "x_1", "x_2", "y", "", "split", "instance_label", "time_s", "0", "1"),
        *("channel", "value", "subject", "date"),
    )
)
CHOICES = st.fixed_dictionaries(
    {},
    optional={
        "layout": st.sampled_from(("long", "wide", "melted")),
        "has_header": st.booleans(),
        "unreadable": st.just("missing"),
    },
)


def reads_or_refuses(content, choices):
    try:
        made = read_files(inspect_files([from_bytes("any.csv", content)], choices)).series_set
    except DataError as error:
        assert str(error)
    else:
        assert len(made.fingerprint) == 16


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=120), CHOICES)
def test_any_bytes_either_read_or_raise_our_own_error(content, choices):
    reads_or_refuses(content, choices)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(NAME, max_size=6),
    st.lists(st.lists(CELL, max_size=6), max_size=6),
    st.sampled_from([",", ";", "\t", " "]),
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-16-le"]),
    CHOICES,
)
def test_any_table_either_reads_or_raises_our_own_error(names, rows, separator, ending, encoding, choices):
    text = ending.join(separator.join(row) for row in [names, *rows])
    reads_or_refuses(text.encode(encoding), choices)
