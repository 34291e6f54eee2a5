"""``.ts`` files of the UEA and UCR archives as a reader among others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from timemil_core.data.files.choices import Choosing
from timemil_core.data.files.contract import Understood
from timemil_core.data.files.naming import set_name
from timemil_core.data.files.parts import Parts
from timemil_core.data.files.source import Source, first_word, on_disk
from timemil_core.data.known_sets import KNOWN
from timemil_core.data.report_line import note, repair, warning
from timemil_core.data.series_set import default_channel_names
from timemil_core.data.signatures import metadata_file
from timemil_core.data.ts_files import TsHeader, peek_header, read_part

TAGS = frozenset(
    f"@{tag}"
    for tag in (
        *("problemname", "timestamps", "missing", "univariate", "dimension", "dimensions"),
        *("equallength", "serieslength", "classlabel", "targetlabel", "data"),
    )
)
OWN_NAME = "series.ts"


def is_ts(source: Source, head: bytes) -> bool:
    """Tell whether a file begins with a ``.ts`` header, comments left out."""
    return first_word(head, comment=b"#") in TAGS


def understand_ts(sources: Sequence[Source], choose: Choosing) -> Understood:
    """Look at a ``.ts`` file's header.

    Raises
    ------
    DataError
        Where the file is too large.
    """
    source = sources[0]
    source.refuse_large()
    with _path(sources) as path:
        header = peek_header(path)
    lines = [note(_said(header))]
    if not header.class_names:
        lines.append(
            warning(
                "The file names no classes: the series can be looked at, but not learned from.",
                remedy="Write '@classLabel true' with the classes, and the class at each line's end.",
            )
        )
    return Understood(
        title="a .ts file of the UEA and UCR archives",
        load=lambda _: _load(sources),
        lines=lines,
        has_labels=bool(header.class_names),
    )


def with_metadata(own: Sequence[Source], others: Sequence[Source]) -> list[list[Source]]:
    """Put each ``.ts`` file together with the file of pattern locations that lies beside it, where there is one."""
    by_name = {other.name: other for other in others}
    wanted = [metadata_file(Path(source.name)).as_posix() for source in own]
    return [[source, *([by_name[name]] if name in by_name else [])] for source, name in zip(own, wanted, strict=True)]


def _said(header: TsHeader) -> str:
    channels = "an untold number of channels" if header.n_channels is None else f"{header.n_channels} channels"
    length = "lengths that may differ" if header.length is None else f"{header.length} time points"
    classes = f"{len(header.class_names)} classes" if header.class_names else "no classes"
    return f"Its header tells of {channels}, {length} and {classes}."


def _load(sources: Sequence[Source]) -> Parts:
    source = sources[0]
    with _path(sources) as path:
        part = read_part(path, source.name)
    n_channels = part.series[0].shape[0]
    known = KNOWN.get(set_name([source]))
    is_named = known is not None and len(known.channel_names) == n_channels
    lines = []
    if part.n_trimmed:
        lines.append(repair(f"Missing values that padded the end of {part.n_trimmed:,} series were cut off."))
    if part.truth is not None:
        lines.append(note("Instance labels are from the metadata file; a series without a pattern has none."))
    if known is not None:
        lines.append(note(f"The name is that of a public set: {known.summary}"))
    return Parts(
        series=part.series,
        ids=[str(index + 1) for index in range(len(part.series))],
        channel_names=known.channel_names if known and is_named else default_channel_names(n_channels),
        labels=part.labels,
        sampling_rate=known.sampling_rate if known else None,
        truth=part.truth,
        lines=lines,
    )


@contextmanager
def _path(sources: Sequence[Source]) -> Iterator[Path]:
    """Yield where a ``.ts`` file and its metadata lie on disk, copied there where they do not: aeon reads paths."""
    source, *metadata = sources
    if source.path is not None and source.path.suffix:
        yield source.path
        return
    names = {OWN_NAME: source} | {metadata_file(Path(OWN_NAME)).name: one for one in metadata}
    with on_disk(names) as folder:
        yield folder / OWN_NAME
