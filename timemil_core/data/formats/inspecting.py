"""Look at any files, and read them: what the page, the command line and the library all call."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from timemil_core.data.files.archives import HEAD, ZIP, opened
from timemil_core.data.files.choices import Choice, Choosing, Value
from timemil_core.data.files.contract import Inspection, Progress, Reader, Reading, Understood, unheard
from timemil_core.data.files.finishing import finished
from timemil_core.data.files.naming import set_name
from timemil_core.data.files.source import Source, is_junk
from timemil_core.data.formats.beside import understand_beside
from timemil_core.data.formats.many import understand_many
from timemil_core.data.formats.registry import READERS, TABLE, reader_of
from timemil_core.data.limits import refuse_beyond
from timemil_core.data.report_line import ReportLine, condensed, note, warning
from timemil_core.data.wording import listed
from timemil_core.errors import DataError

CLUTTER = re.compile(
    r"(readme|licen[cs]e|copying|notice|changelog|changes|citation|authors|contributing|makefile|dockerfile|checksums?"
    r"|sha256sums|md5sums?|manifest|requirements|sample_?submission|data_?sheet|code_?book)(\.[a-z0-9]{1,8})?"
    r"|.*\.(md|rst|py|pyc|ipynb|m|r|rmd|jl|sh|bat|ps1|c|h|cpp|hpp|java|js|ts_|html?|css|ya?ml|toml|ini|cfg|bib|tex|log"
    r"|png|jpe?g|gif|svg|bmp|tiff?|webp|eps|pdf|docx?|pptx?|rtf|odt|md5|sha\d+|sql|lock)",
    re.IGNORECASE,
)
SNIFFED = 1 << 16  # bytes by which a format is recognised


def inspect_files(sources: Sequence[Source], choices: Mapping[str, Value] | None = None) -> Inspection:
    """Say what files seem to hold: one file, an archive, or several files that make one set.

    Parameters
    ----------
    sources
        The files; see ``files.source`` for how to have them from paths or bytes.
    choices
        What the user has decided, by ``Choice.name``; all else is guessed.

    Raises
    ------
    DataError
        Where nothing can be read of them, or a choice is none that there is; it brings the choices that there are.
    """
    if not sources:
        raise DataError("No file was given.")
    name = set_name(sources)
    where = sources[0].name if len(sources) == 1 else name
    choose = Choosing(choices or {}, where)
    files, lines = _opened(sources)
    files, clutter = _without_clutter(files)
    lines.extend(clutter)
    by_reader, refusals = _by_reader(files)
    try:
        reader = _chosen_reader(by_reader, refusals, choose)
        bundles, left = _bundled(reader, by_reader, refusals)
        understood, used = _understood(reader, bundles, by_reader, choose)
        choose.refuse_unknown()
    except DataError as error:
        error.choices = _in_order(choose)
        raise
    lines.extend(_left_out([source for source in left if source not in used], refusals))
    return Inspection(
        name=name,
        title=understood.title,
        lines=tuple(condensed((*lines, *understood.lines))),
        choices=_in_order(choose),
        head=understood.head,
        load=partial(_load, understood, name, where),
    )


def _in_order(choose: Choosing) -> tuple[Choice, ...]:
    return tuple(sorted(choose.made.values(), key=lambda choice: not choice.reshapes))


def read_files(inspection: Inspection, progress: Progress = unheard) -> Reading:
    """Read files as they were understood.

    Raises
    ------
    DataError
        Where they do not hold what they seemed to: names file, row and column, and how to mend it.
    """
    return inspection.load(progress)


def _load(understood: Understood, name: str, where: str, progress: Progress) -> Reading:
    parts = understood.load(progress)
    series_set, lines = finished(parts, name, where, understood.cut)
    provenance = (f"Read from {where!r}: {understood.title}.", *series_set.provenance)
    progress(1.0, "done")
    return Reading(replace(series_set, provenance=provenance), tuple(lines))


def _opened(sources: Sequence[Source]) -> tuple[list[Source], list[ReportLine]]:
    """Return the files, those of archives in their archive's place; an archive inside an archive stays closed."""
    files: list[Source] = []
    lines: list[ReportLine] = []
    for source in sources:
        if is_junk(source.name) and len(sources) > 1:
            continue
        inside, told = (None if _is_format(source) else opened(source)) or ([source], [])
        files.extend(inside)
        lines.extend(told)
    refuse_beyond("files", len(files), sources[0].name, of="The upload")
    if not files:
        raise DataError("There is no file in it.", where=sources[0].name, remedy="Choose another one.")
    return files, lines


def _is_format(source: Source) -> bool:
    """Tell whether a zip archive is itself a format: a spreadsheet, or arrays."""
    head = source.head(HEAD)
    return head.startswith(ZIP) and any(reader.recognises(source, head) for reader in READERS if reader is not TABLE)


def _without_clutter(files: list[Source]) -> tuple[list[Source], list[ReportLine]]:
    """Leave out what stands beside data in most folders: descriptions, scripts and pictures; told, and never all."""
    clutter = [source for source in files if CLUTTER.fullmatch(source.name.rpartition("/")[2]) or _is_prose(source)]
    if not clutter or len(clutter) == len(files):
        return files, []
    names = listed([source.name for source in clutter], 4)
    left = set(clutter)
    return [source for source in files if source not in left], [
        note(f"Left out, for descriptions, scripts and pictures hold no series: {names}.")
    ]


def _is_prose(source: Source) -> bool:
    """Tell whether a text file holds sentences: words with blanks between them, and hardly a number."""
    if source.suffix not in (".txt", ".text", ""):
        return False
    head = source.head(4096)
    words = head.split()
    if b"\0" in head or len(words) < 5 or any(mark in head for mark in (b"\t", b";", b"|")):
        return False
    n_numbers = sum(word.strip(b".,:()").lstrip(b"+-").replace(b".", b"", 1).isdigit() for word in words)
    lines = [line for line in head.splitlines() if line.strip()]
    return n_numbers < 0.2 * len(words) and len({len(line.split()) for line in lines}) > 1 and b", " in head


def _by_reader(files: Sequence[Source]) -> tuple[dict[str, list[Source]], dict[Source, DataError]]:
    """Return the files of each reader, by its name, and why the others have none."""
    found: dict[str, list[Source]] = {}
    refusals: dict[Source, DataError] = {}
    for source in files:
        try:
            found.setdefault(reader_of(source, source.head(SNIFFED)).name, []).append(source)
        except DataError as error:
            refusals[source] = error
    return found, refusals


def _chosen_reader(
    by_reader: Mapping[str, list[Source]], refusals: Mapping[Source, DataError], choose: Choosing
) -> Reader:
    present = [reader for reader in READERS if reader.name in by_reader]
    if not present:
        raise next(iter(refusals.values()))
    if len(present) == 1:
        return present[0]
    names = [reader.name for reader in present]
    name = choose.one("format", "Files to read", names, names[0], reshapes=True)
    return next(reader for reader in present if reader.name == name)


def _bundled(
    reader: Reader, by_reader: Mapping[str, list[Source]], refusals: Mapping[Source, DataError]
) -> tuple[list[list[Source]], list[Source]]:
    """Return the files of each unit that is read, and the files that are left."""
    others = [source for name, sources in by_reader.items() if name != reader.name for source in sources]
    bundles = reader.bundles(by_reader[reader.name], [*others, *refusals])
    used = {source for bundle in bundles for source in bundle}
    return bundles, [source for source in (*others, *refusals) if source not in used]


def _understood(
    reader: Reader, bundles: list[list[Source]], by_reader: Mapping[str, list[Source]], choose: Choosing
) -> tuple[Understood, set[Source]]:
    if len(bundles) == 1 and len(by_reader.get(TABLE.name, [])) <= (reader is TABLE):
        return reader.understand(bundles[0], choose), set()
    tables = [] if reader is TABLE else by_reader.get(TABLE.name, [])
    if reader is TABLE and (found := understand_beside(reader, by_reader[TABLE.name], choose)) is not None:
        understood, used = found
        return understood, used
    return understand_many(reader, bundles, tables, choose)


def _left_out(left: Sequence[Source], refusals: Mapping[Source, DataError]) -> list[ReportLine]:
    if not left:
        return []
    lines = []
    unread = [source for source in left if source not in refusals]
    if unread:
        names = listed([source.name for source in unread], 3)
        lines.append(warning(f"Files of another format are left out: {names}.", choice="format"))
    lines.extend(
        warning(f"Left out: {refusals[source].problem}", where=source.name, remedy=refusals[source].remedy)
        for source in [source for source in left if source in refusals][:3]
    )
    n_more = sum(source in refusals for source in left) - 3
    if n_more > 0:
        lines.append(warning(f"{n_more:,} more files cannot be read and are left out."))
    return lines
