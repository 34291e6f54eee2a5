"""A set as a file that other programs read, and that is read back here to the same values."""

from timemil_core.data.export.arrays import write_npz
from timemil_core.data.export.names import file_stem
from timemil_core.data.export.ts import lost_in_ts, write_ts
from timemil_core.data.tables.writing import write_long_table

__all__ = ["file_stem", "lost_in_ts", "write_long_table", "write_npz", "write_ts"]
