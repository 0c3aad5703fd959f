"""Run a small campaign from Python: every solver on every instance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from tiler.amounts import counted, duration
from tiler.api import arguments
from tiler.api.answers.saving import write
from tiler.api.monitoring import Following
from tiler.bench import campaign, code_fingerprint, compare, record, refusals, store
from tiler.bench.job import matrix, of_jobs, pending
from tiler.bench.judge import RecordedAnswers, judge
from tiler.bench.record import Category, Record
from tiler.bench.stats import Clock, newest
from tiler.bench.stats import tables as tabulated
from tiler.bench.store import Store
from tiler.errors import BadArgument, MissingDependency
from tiler.model.instance import Instance
from tiler.optional_packages import need
from tiler.process import files
from tiler.question.events import Progress
from tiler.question.parameters import PATH, checked
from tiler.question.question import Question
from tiler.render import table
from tiler.report import chosen_records, comparison, document, draw, tables
from tiler.report.draw import table_of
from tiler.report.names import short
from tiler.report.panels import Drawing

if TYPE_CHECKING:
    import pandas  # type: ignore[import-untyped, unused-ignore]


@dataclass(frozen=True, repr=False)
class Benchmark:
    """The records of runs, each a mapping as `runs.jsonl` of a campaign has it; `str` makes a table of them, and a notebook shows
    it."""

    records: tuple[Record, ...]

    def __post_init__(self) -> None:
        if isinstance(self.records, str | Path):
            raise BadArgument(
                f"records: {str(self.records)!r} is no list of records; tiler.Benchmark.open(folder) reads a folder"
            )

    @classmethod
    def open(cls, folder: str | Path) -> Benchmark:
        """The newest record of each run in a folder of `tiler bench`, or of `tiler.benchmark`; InputError if it holds none."""
        return cls(newest(chosen_records.read(Path(checked("folder", PATH, folder)))))

    def __iter__(self) -> Iterator[Record]:
        return iter(self.records)

    def __len__(self) -> int:
        return len(self.records)

    def __repr__(self) -> str:
        return f"Benchmark({counted(len(self), 'run')})"

    def __str__(self) -> str:
        heads, rows = self._summary
        return table.draw(rows, heads)

    def _repr_html_(self) -> str:
        heads, rows = self._summary
        return table.html(rows, heads, texts=0)

    @property
    def _summary(self) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
        found = sorted(campaign.summarise(self.records), key=lambda row: (-row.counts.get(Category.CORRECT, 0), row.wall_seconds))
        kinds = [kind for kind in Category if any(row.counts.get(kind) for row in found)]
        counts = [[str(row.counts.get(kind, 0)) for kind in kinds] for row in found]
        rows = [(short(row.solver), *each, duration(row.wall_seconds)) for row, each in zip(found, counts, strict=True)]
        return ("solver", *kinds, "wall"), rows

    def plot(self, kind: str = "survival", *, clock: str = "solve") -> BenchmarkPlot:
        """A figure, as `tiler plot --kind` draws it, of the runs under one goal and one set of limits: of those with the most
        runs, if there are several. BadArgument if there is no such kind, or if these runs are not enough for it."""
        need("a plot", "matplotlib")
        for name, value, known in (("kind", kind, draw.ALL_KINDS), ("clock", clock, tuple(Clock))):
            if value not in known:
                raise BadArgument(f"{name}={value!r}: it must be {', '.join(known[:-1])} or {known[-1]}")
        for some in tabulated(self.records, Clock(clock))[:1]:
            if pages := tuple(drawing for _, drawing in draw.drawings(some, [kind])):
                return BenchmarkPlot(pages)
        raise BadArgument(f"kind={kind!r}: {counted(len(self), 'run')} have nothing that it shows")

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
class BenchmarkPlot:
    """A figure of a benchmark on one or more pages, which a notebook shows."""

    pages: tuple[Drawing, ...]

    def __repr__(self) -> str:
        return f"BenchmarkPlot({self.pages[0].title}, {counted(len(self.pages), 'page')})"

    def _repr_html_(self) -> str:
        pictures = (draw.image(page, "svg").decode() for page in self.pages)
        return "\n".join(picture[picture.index("<svg") :] for picture in pictures)

    def save(self, path: str | Path) -> None:
        """Write the figure, by the ending of the path: .svg, .pdf or .png; further pages have a number in their names."""
        first = Path(checked("path", PATH, path))
        for number, page in enumerate(self.pages, start=1):
            file = first if number == 1 else first.with_stem(f"{first.stem}-{number}")
            write(file, {form: partial(draw.image, page, form) for form in ("svg", "pdf", "png")})


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
