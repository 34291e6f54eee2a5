"""How large a table may be; checked before memory is spent on it."""

from __future__ import annotations

from timemil_core.errors import DataError

MAX_BYTES = 1_000_000_000
MAX_COLUMNS = 200_000
MAX_CELLS = 200_000_000
MAX_CHANNELS = 5_000


def check_bytes(content: bytes, filename: str) -> None:
    """Refuse an empty file and one that is too large.

    Raises
    ------
    DataError
        With the file's size and the limit.
    """
    if not content.strip():
        raise DataError("The file is empty.", where=filename, remedy="Choose a file that holds a table of series.")
    if len(content) > MAX_BYTES:
        raise DataError(
            f"The file has {len(content) / 1e6:,.0f} MB; at most {MAX_BYTES / 1e6:,.0f} MB can be read.",
            where=filename,
            remedy="Split it into several files, or keep fewer series.",
        )


def check_cells(content: bytes, n_columns: int, filename: str) -> None:
    """Refuse a table of too many columns or cells, counted from its line ends.

    Raises
    ------
    DataError
        With the number found and the limit.
    """
    n_rows = max(content.count(b"\n"), content.count(b"\r")) + 1
    limits = (("columns", n_columns, MAX_COLUMNS), ("cells", n_rows * n_columns, MAX_CELLS))
    for what, count, most in limits:
        if count > most:
            raise DataError(
                f"The table has {count:,} {what}; at most {most:,} can be read.",
                where=filename,
                remedy="Split it into several files, or keep fewer series or time points.",
            )
