"""The pitfalls of people's own files, and the tests that hold what is done about each.

``python -m tests.pitfalls`` writes ``docs/pitfalls.md``, and the table of the guide, anew from the tests marked
``pitfall(number)``.
"""

from __future__ import annotations

import ast
import html
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "pitfalls.md"
GUIDE = ROOT / "docs" / "guide" / "data.md"
BEGIN, END = "<!-- written by python -m tests.pitfalls -->\n", "<!-- until here -->"
HEADING = """# What people upload, and what is done about it

Each row is a test: what it holds, the small file that it reads, and words of the message that it holds us to. "In the
test" stands for a file that the test itself writes out. Made by `python -m tests.pitfalls`; a test fails where a
number has no row, or this page is old.
"""
TITLES = {
    1: "Layouts: wide, long, melted, a file a series, UCR, .ts, .arff, .npz, .parquet",
    2: "The label in any column, in a name, or changing within one id",
    3: "Rows out of order, ids interleaved",
    4: "The same id and time twice",
    5: "No id column",
    6: "With or without a header; an unnamed index column",
    7: "Separators, decimal comma, thousands, byte-order mark, encodings",
    8: "Time stamps: day and month, zones, epochs, spreadsheet serials, backwards",
    9: "Irregular sampling; different rates",
    10: "Unequal lengths; trailing NaN as padding",
    11: "Missing values, signs for them, sentinels",
    12: "Series wholly missing, of length 0 or 1, shorter than the kernels",
    13: "Constant channels",
    14: "Scales; normalisation with the test set",
    15: "Labels: spellings, gaps, mixed types, a continuous target",
    16: "One class, a class of one, a class only in the test part",
    17: "No test part; a subject or overlapping windows on both sides",
    18: "Exact duplicates across training and test",
    19: "Id, time or label left among the channels",
    20: "Text or categories in a channel",
    21: "Channels that differ from the model's",
    22: "Wide names of several channels, x_1 and x_10",
    23: "Larger than memory or limit, very long series, many classes",
    24: "A last batch of one; an empty validation split",
    25: "Zip bombs, climbing names, formulas, hostile names and labels",
    26: "Large offsets, overflow, float32 precision",
}


@dataclass(frozen=True, order=True)
class Row:
    """A marked test: the pitfall, where the test is, what it reads, what it expects to be said."""

    number: int
    path: str
    test: str
    files: tuple[str, ...]
    message: str


def rows() -> list[Row]:
    """Return a row for each pitfall of each marked test, in order."""
    data_files = {path.name for path in (ROOT / "tests" / "data").rglob("*") if path.suffix not in {".py", ".pyc"}}
    found = [row for path in sorted((ROOT / "tests").rglob("test_*.py")) for row in _rows_of(path, data_files)]
    return sorted(found)


def _rows_of(path: Path, data_files: set[str]) -> Iterator[Row]:
    source = path.read_text("utf-8")
    if ".pitfall(" not in source:
        return
    place = path.relative_to(ROOT).as_posix()
    body = ast.parse(source).body
    constants = {
        name.id: _texts(node.value)
        for node in body
        if isinstance(node, ast.Assign)
        for name in node.targets
        if isinstance(name, ast.Name)
    }
    for node in body:
        if isinstance(node, ast.FunctionDef):
            named = [one.id for one in ast.walk(node) if isinstance(one, ast.Name)]
            files_of_module = [text for name in named for text in constants.get(name, ()) if text in data_files]
            texts = [*_texts(node), *files_of_module]
            files = tuple(sorted({text for text in texts if text in data_files}))
            for number in _numbers(node):
                yield Row(number, place, node.name, files, _message(texts, files))


def _texts(node: ast.AST) -> list[str]:
    return [one.value for one in ast.walk(node) if isinstance(one, ast.Constant) and isinstance(one.value, str)]


def _numbers(function: ast.FunctionDef) -> Iterator[int]:
    for decorator in function.decorator_list:
        if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "pytest.mark.pitfall":
            yield from (int(ast.literal_eval(argument)) for argument in decorator.args)


def _message(texts: list[str], files: tuple[str, ...]) -> str:
    """Return the longest sentence-like text of a test: what it holds the message to."""
    sentences = [text for text in texts if text.count(" ") > 1 and text not in files and "\n" not in text]
    return max(sentences, key=len, default="")


def page() -> str:
    """Return the whole page."""
    found = rows()
    parts = [HEADING]
    for number, title in TITLES.items():
        parts.append(f"\n## {number}. {title}\n\n| what holds | file | said |\n|---|---|---|\n")
        parts.extend(_line(row) for row in found if row.number == number)
    return "".join(parts)


def _line(row: Row) -> str:
    sentence = row.test.removeprefix("test_").replace("_", " ")
    return f"| [{sentence}](../{row.path}) | {_files(row)} | {_said(row)} |\n"


def _files(row: Row) -> str:
    return ", ".join(f"`{name}`" for name in row.files) or "in the test"


def _said(row: Row) -> str:
    return html.escape(row.message, quote=False).replace("|", "\\|").replace("*", "\\*").replace("`", "\\`")


def guide() -> str:
    """Return the guide with a row a pitfall: one of its tests, rather one that reads a file and names a message."""
    text = GUIDE.read_text("utf-8")
    before, after = text[: text.index(BEGIN)], text[text.index(END) :]
    found = rows()
    lines = [
        BEGIN,
        "| | what people upload | tests | one small file | part of what is said of it |\n|---|---|---|---|---|\n",
    ]
    for number, title in TITLES.items():
        of_it = [row for row in found if row.number == number]
        shown = max(of_it, key=lambda row: (bool(row.files) * len(row.message), len(row.message)))
        file = _files(shown) if shown.files else f"[in the test](../../{shown.path})"
        lines.append(f"| {number} | {title} | {len(of_it)} | {file} | {_said(shown)} |\n")
    return "".join([before, *lines, after])


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
    GUIDE.write_text(guide(), "utf-8")
