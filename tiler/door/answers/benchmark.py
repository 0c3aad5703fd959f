"""Run a small campaign from Python: every solver on every instance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from tiler.amounts import counted, duration
from tiler.bench import campaign, code_fingerprint, compare, record, refusals, store
from tiler.bench.job import matrix, of_jobs, pending
from tiler.bench.judge import RecordedAnswers, judge
from tiler.bench.record import Category, Record
from tiler.bench.store import Store
from tiler.door import arguments
from tiler.door.monitoring import Following
from tiler.errors import BadArgument, MissingDependency
from tiler.model.instance import Instance
from tiler.process import files
from tiler.question.events import Progress
from tiler.question.parameters import PATH, checked
from tiler.question.question import Question
from tiler.render import table
from tiler.report import comparison, document, tables
from tiler.report.draw import table_of
from tiler.report.names import short

if TYPE_CHECKING:
    import pandas  # type: ignore[import-untyped, unused-ignore]


@dataclass(frozen=True, repr=False)
class Benchmark:
    """The records of runs, each a mapping as `runs.jsonl` of a campaign has it; `str` makes a table of them."""

    records: tuple[Record, ...]

    def __iter__(self) -> Iterator[Record]:
        return iter(self.records)

    def __len__(self) -> int:
        return len(self.records)

    def __repr__(self) -> str:
        return f"Benchmark({counted(len(self), 'run')})"

    def __str__(self) -> str:
        found = campaign.summarise(self.records)
        kinds = [kind for kind in Category if any(row.counts.get(kind) for row in found)]
        counts = [[str(row.counts.get(kind, 0)) for kind in kinds] for row in found]
        lines = [(short(row.solver), *each, duration(row.wall_seconds)) for row, each in zip(found, counts, strict=True)]
        return table.draw(lines, ("solver", *kinds, "wall"))

    @property
    def rows(self) -> list[dict[str, Any]]:
        """A row for each run: what was asked and answered, and what it took, with the unit in the column's name."""
        return tables.record_rows(self.records)

    def to_pandas(self) -> pandas.DataFrame:
        """The `rows` as a DataFrame; MissingDependency if pandas is not installed."""
        try:
            import pandas
        except ImportError:
            raise MissingDependency("pandas is not installed: pip install pandas; to_csv needs none") from None
        return pandas.DataFrame(self.rows)

    def to_csv(self, path: str | Path | None = None) -> str:
        """The `rows` as CSV; with a path they are also written there."""
        written = table_of(self.rows)
        if path is not None:
            files.write(checked("path", PATH, path), written.encode("utf-8", "backslashreplace"))
        return written

    def compare(self, other: Benchmark) -> Changes:
        """What changed from these runs to others: by how much each solver became faster, with its interval, and which answers
        were lost. BadArgument if the two have no runs of the same solver, problem and question."""
        if not isinstance(other, Benchmark):
            raise BadArgument(f"other: {arguments.shown(other)} is not a Benchmark")
        found = compare.compare(self.records, other.records, alike=short)
        if not any(each.changes for each in found):
            raise BadArgument("other: there is nothing to compare: no solver was asked the same about the same problem in both")
        return Changes(found)


@dataclass(frozen=True, repr=False)
class Changes:
    """What changed from one benchmark to another, a comparison for each goal and set of limits; `str` makes tables of it."""

    comparisons: tuple[compare.Comparison, ...]

    def __repr__(self) -> str:
        return f"Changes({counted(sum(len(each.pairs) for each in self.comparisons), 'pair')} of runs)"

    def __str__(self) -> str:
        return document.plain(comparison.blocks(self.comparisons, "before", "after")).strip()


def run(
    instances: Sequence[Instance],
    specs: Sequence[str],
    question: Question,
    repeats: int,
    folder: Path | None,
    follow: Following,
) -> Benchmark:
    """Make the runs that have no record in the folder yet, one at a time, each limited in a process of its own.

    Interrupted, with the runs that were made, if Ctrl-C is pressed.
    """
    jobs = matrix(instances, campaign.full_specs(specs, question.goal), question, repeats)
    if not specs:
        jobs, _ = refusals.divided(jobs)
    with ExitStack() as stack:
        where = Path(stack.enter_context(TemporaryDirectory(prefix="tiler-"))) if folder is None else folder
        stack.enter_context(store.locked(where, lambda text: None))
        opened = stack.enter_context(Store(where))
        earlier = code_fingerprint.made_here(record.read(where).records)
        todo = pending(jobs, earlier)
        made: list[Record] = []

        def tick() -> None:
            about = f"run {len(made) + 1} of {len(todo)}"
            if not follow.tick(Progress(len(made), fraction=len(made) / len(todo), where=about)):
                raise KeyboardInterrupt

        def benchmark() -> Benchmark:
            return Benchmark(of_jobs(jobs, judge([*earlier, *made])))

        try:
            if todo:
                made.extend(campaign.make(todo, opened, answers=RecordedAnswers(earlier), on_tick=tick))
        except KeyboardInterrupt:
            if follow.stop is None:  # It was not for us to remember.
                raise
        follow.refuse_interrupted(benchmark(), f"{len(made)} of {counted(len(todo), 'run')} made")
        return benchmark()
