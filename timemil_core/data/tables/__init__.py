"""A ``SeriesSet`` written as text tables of every layout, and templates of them; ``data.formats`` reads them back."""

from timemil_core.data.tables.examples import example_tables
from timemil_core.data.tables.writing import write_long_table

__all__ = ["example_tables", "write_long_table"]
