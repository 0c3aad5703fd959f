"""Write a row for each run of a campaign into a file for other programs: CSV, or Parquet with a type for each column."""

from __future__ import annotations

import io
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tiler.bench.record import Record
from tiler.bench.stats import newest
from tiler.errors import BadOption
from tiler.optional_packages import need
from tiler.process import files
from tiler.report.draw import table_of
from tiler.report.tables import record_rows

FORMATS = ("csv", "parquet")
STEM = "runs"

_TEXTS = ("instance", "solver", "goal", "status", "stop", "category")
_ANY_SIZE = ("count",)  # numbers of tilings may be larger than any integer of Parquet
_REALS = ("load",)  # as are all with a unit of time or memory


def write(records: Iterable[Record], folder: Path, forms: Iterable[str]) -> list[Path]:
    """Write runs.csv or runs.parquet into a folder, the newest record of each run, and return their paths. MissingDependency
    before the first file is written if one of the formats needs a package that is not here."""
    rows = record_rows(newest(tuple(records)))
    contents = {folder / f"{STEM}.{form}": _parquet(rows) if form == "parquet" else _csv(rows) for form in forms}
    for path, content in contents.items():
        files.write(path, content)
    return list(contents)


def _csv(rows: list[dict[str, Any]]) -> bytes:
    return table_of(rows).encode("utf-8", "backslashreplace")


def _parquet(rows: list[dict[str, Any]]) -> bytes:
    """The rows with the columns of the CSV. A column has the same type whatever it holds: text, int64 or double; `count` is
    decimal digits as text."""
    need("Parquet", "pyarrow", instead="--format csv needs none")
    import pyarrow as pa
    from pyarrow import parquet

    schema = pa.schema([(name, _type_of(name)) for name in dict.fromkeys(name for row in rows for name in row)])
    exact = [{**row, **{name: str(row[name]) for name in _ANY_SIZE if row[name] is not None}} for row in rows]
    out = io.BytesIO()
    try:
        parquet.write_table(pa.Table.from_pylist(exact, schema), out)
    except (pa.ArrowException, OverflowError) as error:
        raise BadOption(f"a record does not fit into Parquet ({error}): --format csv takes any") from None
    return out.getvalue()


def _type_of(column: str) -> str:
    if column in _TEXTS or column in _ANY_SIZE:
        return "string"
    return "double" if column in _REALS or column.endswith(("_seconds", "_megabytes")) else "int64"
