"""A small campaign from Python: every instance against every solver."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from tiler.amounts import counted, duration
from tiler.bench import campaign, record, sources, store
from tiler.bench.job import matrix, of_jobs, pending
from tiler.bench.judge import Answers, judge
from tiler.bench.record import Category, Record
from tiler.bench.store import Store
from tiler.model.instance import Instance
from tiler.question.question import Question
from tiler.render import table
from tiler.report.names import short


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
        rows = campaign.summarise(self.records)
        kinds = [kind for kind in Category if any(row.counts.get(kind) for row in rows)]
        counts = [[str(row.counts.get(kind, 0)) for kind in kinds] for row in rows]
        lines = [(short(row.solver), *each, duration(row.wall_seconds)) for row, each in zip(rows, counts, strict=True)]
        return table.draw(lines, ("solver", *kinds, "wall"))


def run(instances: Sequence[Instance], specs: Sequence[str], question: Question, repeats: int, folder: Path | None) -> Benchmark:
    """Make the runs that have no record in the folder yet, one at a time, each limited in a process of its own."""
    jobs = matrix(instances, campaign.full_specs(specs, question.goal), question, repeats)
    with ExitStack() as stack:
        where = Path(stack.enter_context(TemporaryDirectory(prefix="tiler-"))) if folder is None else folder
        stack.enter_context(store.locked(where, lambda text: None))
        opened = stack.enter_context(Store(where))
        earlier = sources.made_here(record.read(where).records)
        todo = pending(jobs, earlier)
        made = campaign.make(todo, opened, answers=Answers(earlier)) if todo else ()
        return Benchmark(of_jobs(jobs, judge([*earlier, *made])))
