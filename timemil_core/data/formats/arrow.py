"""Parquet, Feather and Arrow files: flat columns are read as a text table would be, lists as a series a row."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from timemil_core.data.files.choices import Choosing, Value
from timemil_core.data.files.contract import Understood
from timemil_core.data.files.source import Source, from_bytes
from timemil_core.data.formats.arrays.loading import held_in_rows
from timemil_core.data.formats.arrays.reader import understand_held
from timemil_core.data.formats.tables.names import role_of_name
from timemil_core.data.formats.tables.reader import understand_written
from timemil_core.data.limits import refuse_beyond
from timemil_core.data.report_line import repair
from timemil_core.data.wording import listed
from timemil_core.errors import DataError

if TYPE_CHECKING:
    import pyarrow as pa

    _Batches = Callable[[list[str]], Iterator[pa.RecordBatch]]

PARQUET = b"PAR1"
FILES = {PARQUET: "a Parquet table", b"ARROW1": "an Arrow or Feather table", b"FEA1": "a Feather table"}
STREAM = b"\xff\xff\xff\xff"
BATCH_CELLS = 1_000_000
# how a table that we write out ourselves is written: neither asked nor told
WRITTEN: dict[str, Value] = {
    "encoding": "utf-8",
    "separator": ",",
    "decimal": ".",
    "thousands": "",
    "has_header": True,
    "header_row": 1.0,
    "skip_rows": None,
}


def is_arrow(source: Source, head: bytes) -> bool:
    """Tell whether a file is a Parquet, Feather or Arrow file, or a stream of Arrow."""
    return head.startswith(tuple(FILES)) or (head.startswith(STREAM) and head[4:8] != STREAM)


def understand_arrow(sources: Sequence[Source], choose: Choosing) -> Understood:
    """Look at a file of columns.

    Raises
    ------
    DataError
        Where it is damaged or too large, or no column can be read.
    """
    source = sources[0]
    source.refuse_large()
    head = source.head(8)
    noun = next((noun for mark, noun in FILES.items() if head.startswith(mark)), "a stream of Arrow")
    with _readable(source, noun):
        schema, batches = _parquet(source) if head.startswith(PARQUET) else _feather(source)
        is_long = any(role_of_name(field.name) == "time" and not _is_list(field.type) for field in schema)
        lists = [] if is_long else [field.name for field in schema if _is_list(field.type)]
        kept = [field.name for field in schema if field.name in lists or _can_be_written(field.type)]
        dropped = [name for name in schema.names if name not in kept]
        if not kept or len(set(schema.names)) < len(schema.names):
            raise DataError(
                "No column holds numbers, text or lists." if not kept else "Two columns have the same name.",
                where=source.name,
                remedy="Write one column a channel, a row a time point.",
            )
        if lists:
            rows = [row for batch in batches(kept) for row in batch.to_pylist()]
            held = held_in_rows(rows, source.name)
        else:
            table = from_bytes(source.name, _as_csv(source, schema, kept, batches(kept)))
    if lists:
        understood = understand_held(held, f"{noun}, a row a series", source.name, choose)
    else:
        understood = understand_written(table, choose, WRITTEN, noun)
    if dropped:
        understood.lines.insert(
            0,
            repair(
                f"Columns of lists or structures are left out: {listed(dropped)}.",
                remedy="Write one column a channel, a row a time point.",
            ),
        )
    return understood


@contextmanager
def _readable(source: Source, noun: str) -> Iterator[None]:
    import pyarrow as pa

    try:
        yield
    except DataError:
        raise
    except (pa.ArrowException, OSError, ValueError, KeyError, TypeError, MemoryError, OverflowError) as error:
        raise DataError(
            f"The {noun.split(' ', 1)[1].removesuffix(' table')} file is damaged or of an unknown kind ({error}).",
            where=source.name,
            remedy="Write it again, or as CSV.",
        ) from error


def _parquet(source: Source) -> tuple[pa.Schema, _Batches]:
    from pyarrow import parquet

    table = parquet.ParquetFile(io.BytesIO(source.read()))
    _refuse_large(source, table.metadata.num_rows, table.metadata.num_columns)
    return table.schema_arrow, lambda kept: table.iter_batches(batch_size=_rows_a_batch(kept), columns=kept)


def _feather(source: Source) -> tuple[pa.Schema, _Batches]:
    """Look at a file that lies in memory as it is written, or is compressed; its rows are counted before it is read."""
    import pyarrow as pa
    from pyarrow import feather

    content = pa.BufferReader(source.read())
    if source.head(6).startswith(b"FEA1"):
        table = feather.read_table(content, memory_map=False)
    elif source.head(6).startswith(b"ARROW1"):
        table = pa.ipc.open_file(content).read_all()
    else:
        table = pa.ipc.open_stream(content).read_all()
    table.validate(full=True)
    _refuse_large(source, table.num_rows, table.num_columns)
    return table.schema, lambda kept: iter(table.select(kept).to_batches(max_chunksize=_rows_a_batch(kept)))


def _refuse_large(source: Source, n_rows: int, n_columns: int) -> None:
    refuse_beyond("columns", n_columns, source.name, of="The table")
    refuse_beyond("cells", n_rows * n_columns, source.name, of="The table")


def _rows_a_batch(kept: Sequence[str]) -> int:
    return max(1, BATCH_CELLS // len(kept))


def _as_csv(source: Source, schema: pa.Schema, kept: Sequence[str], batches: Iterator[pa.RecordBatch]) -> bytes:
    import pyarrow as pa
    from pyarrow import csv

    target = io.BytesIO()
    plain = pa.schema([(name, _plain_type(schema.field(name).type)) for name in kept])
    with csv.CSVWriter(target, plain) as writer:
        for piece in batches:
            columns = [piece.column(name).cast(plain.field(name).type) for name in kept]
            writer.write_batch(pa.record_batch(columns, schema=plain))
            refuse_beyond("bytes", target.tell(), source.name, of="As text, the table")
    return target.getvalue()


def _plain_type(kind: pa.DataType) -> pa.DataType:
    """Return the type of a column's values where they are held as numbers of a dictionary, as categories are."""
    from pyarrow import types

    return kind.value_type if types.is_dictionary(kind) else kind


def _is_list(kind: pa.DataType) -> bool:
    from pyarrow import types

    is_list = types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind)
    if not is_list:
        return False
    inner = kind.value_type
    return types.is_integer(inner) or types.is_floating(inner) or types.is_decimal(inner) or _is_list(inner)


def _can_be_written(kind: pa.DataType) -> bool:
    from pyarrow import types

    if types.is_dictionary(kind):
        return _can_be_written(kind.value_type)
    is_plain = types.is_integer(kind) or types.is_floating(kind) or types.is_boolean(kind) or types.is_decimal(kind)
    is_text = types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind)
    is_time = types.is_timestamp(kind) or types.is_date(kind) or types.is_time(kind)
    return is_plain or is_text or is_time or types.is_duration(kind)
