"""Parquet files: flat columns are read as a text table would be; columns of lists are series in their cells."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING

from timemil_core.data.files.choices import Choosing, Value
from timemil_core.data.files.contract import Understood
from timemil_core.data.files.source import Source, from_bytes
from timemil_core.data.formats.tables.reader import understand_written
from timemil_core.data.limits import refuse_beyond
from timemil_core.data.report_line import ReportLine, repair
from timemil_core.data.wording import listed
from timemil_core.errors import DataError

if TYPE_CHECKING:
    import pyarrow as pa

MAGIC = b"PAR1"
BATCH_CELLS = 1_000_000
WRITTEN: dict[str, Value] = {
    "encoding": "utf-8",
    "separator": ",",
    "decimal": ".",
    "thousands": "",
    "has_header": True,
    "header_row": 1.0,
    "skip_rows": None,
}


def is_parquet(source: Source, head: bytes) -> bool:
    """Tell whether a file is a Parquet file."""
    return head.startswith(MAGIC)


def understand_parquet(sources: Sequence[Source], choose: Choosing) -> Understood:
    """Look at a Parquet file.

    Raises
    ------
    DataError
        Where it is damaged or too large, or no column can be read.
    """
    source = sources[0]
    content, lines = _as_csv(source)
    understood = understand_written(from_bytes(source.name, content), choose, WRITTEN, "a Parquet table")
    understood.lines = [*lines, *understood.lines]
    return understood


def _as_csv(source: Source) -> tuple[bytes, tuple[ReportLine, ...]]:
    """Return the table as CSV, and what was left out of it."""
    import pyarrow as pa
    from pyarrow import csv, parquet

    source.refuse_large()
    target = io.BytesIO()
    try:
        with source.open() as file:
            table = parquet.ParquetFile(io.BytesIO(file.read()))
            n_rows = table.metadata.num_rows
            refuse_beyond("columns", table.metadata.num_columns, source.name, of="The table")
            refuse_beyond("cells", n_rows * table.metadata.num_columns, source.name, of="The table")
            schema = table.schema_arrow
            kept = [field.name for field in schema if _can_be_written(field.type)]
            dropped = [field.name for field in schema if not _can_be_written(field.type)]
            if not kept or len(set(schema.names)) < len(schema.names):
                raise DataError(
                    "No column holds plain numbers or text." if not kept else "Two columns have the same name.",
                    where=source.name,
                    remedy="Write one column a channel, a row a time point.",
                )
            batch = max(1, BATCH_CELLS // len(kept))
            plain = pa.schema([(name, _plain_type(schema.field(name).type)) for name in kept])
            with csv.CSVWriter(target, plain) as writer:
                for piece in table.iter_batches(batch_size=batch, columns=kept):
                    columns = [piece.column(name).cast(plain.field(name).type) for name in kept]
                    writer.write_batch(pa.record_batch(columns, schema=plain))
                    refuse_beyond("bytes", target.tell(), source.name, of="As text, the table")
    except DataError:
        raise
    except (pa.ArrowException, OSError, ValueError, KeyError, TypeError, MemoryError, OverflowError) as error:
        raise DataError(
            f"The Parquet file is damaged or of an unknown kind ({error}).",
            where=source.name,
            remedy="Write it again, or as CSV.",
        ) from error
    lines = (
        [
            repair(
                f"Columns of lists or other structures are left out: {listed(dropped)}.",
                remedy="Write one column a channel, a row a time point.",
            )
        ]
        if dropped
        else []
    )
    return target.getvalue(), tuple(lines)


def _plain_type(kind: pa.DataType) -> pa.DataType:
    """Return the type of a column's values where they are held as numbers of a dictionary, as categories are."""
    from pyarrow import types

    return kind.value_type if types.is_dictionary(kind) else kind


def _can_be_written(kind: pa.DataType) -> bool:
    from pyarrow import types

    if types.is_dictionary(kind):
        return _can_be_written(kind.value_type)
    is_plain = types.is_integer(kind) or types.is_floating(kind) or types.is_boolean(kind) or types.is_decimal(kind)
    is_text = types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind)
    is_time = types.is_timestamp(kind) or types.is_date(kind) or types.is_time(kind)
    return is_plain or is_text or is_time or types.is_duration(kind)
