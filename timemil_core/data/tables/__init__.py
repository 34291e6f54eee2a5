"""Text tables (CSV, TSV, TXT) in and out: look at a file, correct the guess, read it, write it back.

``inspect_table`` says what a file seems to hold and why; ``read_table`` reads it under that layout or a corrected
one. Both take any bytes and raise nothing but ``DataError``.
"""

from timemil_core.data.tables.examples import example_tables
from timemil_core.data.tables.inspecting import inspect_table
from timemil_core.data.tables.layout import TableGuess, TableLayout
from timemil_core.data.tables.reading import read_table
from timemil_core.data.tables.writing import write_long_table

__all__ = ["TableGuess", "TableLayout", "example_tables", "inspect_table", "read_table", "write_long_table"]
