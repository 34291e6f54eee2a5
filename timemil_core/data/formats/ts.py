"""``.ts`` files of the UEA and UCR archives as a reader among others."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from timemil_core.data.files.choices import Choosing
from timemil_core.data.files.contract import Understood
from timemil_core.data.files.naming import set_name
from timemil_core.data.files.parts import Parts
from timemil_core.data.files.source import Source, first_word
from timemil_core.data.files.text import scan
from timemil_core.data.known_sets import KNOWN, named_labels
from timemil_core.data.report_line import note, warning
from timemil_core.data.series_set import default_channel_names
from timemil_core.data.signatures import metadata_file
from timemil_core.data.ts_files import TAG_REMEDY, TsHeader, metadata_beside, peek_header, read_part
from timemil_core.data.wording import counted

TAGS = frozenset(
    f"@{tag}"
    for tag in (
        *("problemname", "timestamps", "missing", "univariate", "dimension", "dimensions"),
        *("equallength", "serieslength", "classlabel", "targetlabel", "data"),
    )
)


def is_ts(source: Source, head: bytes) -> bool:
    """Tell whether a file begins with a ``.ts`` header, comments left out."""
    return first_word(head, comment=b"#") in TAGS


def understand_ts(sources: Sequence[Source], choose: Choosing) -> Understood:
    """Look at a ``.ts`` file's header and first lines.

    Raises
    ------
    DataError
        Where the file is too large, or not text.
    """
    source = sources[0]
    source.refuse_large()
    header = peek_header(source, scan(source).encoding)
    lines = [note(_said(header))]
    if header.ends_in_class and not header.is_labelled:
        lines.append(
            warning(
                "The header tells of no classes; what stands at each line's end was taken for the class.",
                where=source.name,
                remedy=TAG_REMEDY,
            )
        )
    elif not header.ends_in_class:
        lines.append(
            warning(
                "The file names no classes: the series can be looked at, but not learned from.",
                remedy="Write '@classLabel true' with the classes, and the class at each line's end.",
            )
        )
    return Understood(
        title="a .ts file of the UEA and UCR archives, a line a series",
        load=lambda _: _load(sources),
        lines=lines,
        has_labels=header.ends_in_class,
    )


def with_metadata(own: Sequence[Source], others: Sequence[Source]) -> list[list[Source]]:
    """Put each ``.ts`` file together with the file of pattern locations that lies beside it, where there is one."""
    by_name = {other.name: other for other in others}
    wanted = [metadata_file(Path(source.name)).as_posix() for source in own]
    return [[source, *([by_name[name]] if name in by_name else [])] for source, name in zip(own, wanted, strict=True)]


def _said(header: TsHeader) -> str:
    channels = "an untold number of channels" if header.n_channels is None else counted(header.n_channels, "channel")
    length = "lengths that may differ" if header.length is None else counted(header.length, "time point")
    classes = counted(len(header.class_names), "class") if header.class_names else "no classes"
    return f"Its header tells of {channels}, {length} and {classes}."


def _load(sources: Sequence[Source]) -> Parts:
    source, *metadata = sources
    if not metadata and source.path is not None:
        metadata = [one for one in [metadata_beside(source.path)] if one is not None]
    part = read_part(source, next(iter(metadata), None))
    n_channels = part.series[0].shape[0]
    known = KNOWN.get(set_name([source]))
    is_named = known is not None and len(known.channel_names) == n_channels
    lines = list(part.lines)
    if part.truth is not None:
        lines.append(note("Instance labels are from the metadata file; a series without a pattern has none."))
    if known is not None:
        lines.append(note(f"The name is that of a public set: {known.summary}"))
    labels = tuple(named_labels(set_name([source]), part.labels))
    if labels != tuple(part.labels):
        named = sorted({(old, new) for old, new in zip(part.labels, labels, strict=True) if old and new})
        told = ", ".join(f"{old} is {new!r}" for old, new in named)
        lines.append(note(f"Classes are called what the archive says of them: {told}."))
    return Parts(
        series=part.series,
        ids=[str(index + 1) for index in range(len(part.series))],
        channel_names=known.channel_names if known and is_named else default_channel_names(n_channels),
        labels=labels,
        sampling_rate=known.sampling_rate if known else None,
        truth=part.truth,
        lines=lines,
    )
