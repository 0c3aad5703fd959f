"""Make each run of a campaign by two copies of Tiler, one right after the other: so a drift of the machine shifts both alike.

Which copy begins changes from run to run. Each has a folder for its records; the two records of a run have the same `turn`. Both
copies are processes of their own, also the one whose code runs here, so that nothing but the code differs.
"""

from __future__ import annotations

import dataclasses
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from tiler import version
from tiler.bench import campaign, code_fingerprint, environment, measure
from tiler.bench.job import Job
from tiler.bench.judge import RecordedAnswers
from tiler.bench.order import RunOrder
from tiler.bench.record import Record, Surroundings
from tiler.bench.store import Store
from tiler.errors import TilerError
from tiler.process.elsewhere import CodeCopy, Elsewhere
from tiler.process.executors import Executor

T = TypeVar("T")

_TICK_SECONDS = 0.1


@dataclass(frozen=True)
class OtherCode:
    """Another copy of Tiler: the full specs that it has for our solvers, and by these the code that makes its runs."""

    copy: CodeCopy
    specs: Mapping[str, str]  #: by our full spec; solvers that it lacks are left out
    lacks: Mapping[str, str]  #: by our full spec, why it lacks that solver
    sources: Mapping[str, str | None]
    surroundings: Surroundings

    @classmethod
    def at(cls, path: str, jobs: Iterable[Job], short: Callable[[str], str] = str) -> OtherCode:
        """The copy in a folder or of an interpreter. `short` leaves out of a spec what another version need not understand.
        BadOption if there is no such copy."""
        copy = CodeCopy.at(path)
        origins = {job.solver: job.origin for job in jobs}
        specs, lacks = dict[str, str](), dict[str, str]()
        with Elsewhere(copy, partial(measure.prepare, (), tuple(dict.fromkeys(origins.values())))) as there:
            for solver in origins:
                outcome = there.outcome(there.submit(campaign.full_specs, [short(solver)]))
                if outcome.value:
                    specs[solver] = outcome.value[0]
                else:
                    lacks[solver] = outcome.reason
            sources = {spec: _told(there, code_fingerprint.fingerprint_of, spec) for spec in specs.values()}
            return cls(copy, specs, lacks, sources, _told(there, environment.surroundings))

    def paired(self, ours: Iterable[Record], others: Iterable[Record]) -> tuple[Record, ...]:
        """Our records of runs that this code has made by turns with us, or cannot make."""
        turns = {record.get("turn") for record in others if self._has_made(record)} - {None}
        return tuple(record for record in ours if record.get("turn") in turns or record["solver"] in self.lacks)

    def _has_made(self, record: Record) -> bool:
        return record.get("sources") == self.sources.get(record["solver"])

    def signed(self, record: Record) -> Record:
        """A record of its run, which names its code even if the run was killed before it could."""
        return {**record, **self.surroundings, "sources": self.sources[record["solver"]]}


def _told(there: Executor, function: Callable[..., T], *arguments: Any) -> T:
    outcome = there.outcome(there.submit(function, *arguments))
    if outcome.value is None:
        raise TilerError(f"the other copy of Tiler cannot make runs: {outcome.reason}")
    return outcome.value


def make(
    jobs: Sequence[Job],
    ours: Store,
    others: Store,
    code: OtherCode,
    *,
    order: RunOrder,
    answers: RecordedAnswers,
    warm_seconds: float = measure.WARM_SECONDS,
    on_start: Callable[[Job], None] = lambda job: None,
    on_tick: Callable[[], None] = lambda: None,
) -> Iterator[Record]:
    """Make the runs in an order, one at a time, and yield each of our records when both of its turn are stored; see
    `campaign.make`."""
    origins = tuple(dict.fromkeys(job.origin for job in jobs))
    here = CodeCopy.at(str(Path(version.__file__).parents[1]))
    campaign.write_environment(ours, environment.surroundings())
    campaign.write_environment(others, code.surroundings)
    others_answers = RecordedAnswers()

    def run(executor: Executor, job: Job, turn: str | None) -> Record:
        started, limits = campaign.now(), job.question.limits
        call = executor.submit(measure.answer, job, warm_seconds, seconds=measure.deadline(job), megabytes=limits.megabytes)
        while call.result is None:
            executor.wait([call], _TICK_SECONDS)
            on_tick()
        record = measure.record_of(job, call.result, started, 1)
        record["order"], record["turn"] = str(order), turn
        return record

    with ExitStack() as stack:
        first, second = (
            stack.enter_context(Elsewhere(copy, partial(measure.prepare, tuple(dict.fromkeys(specs)), origins)))
            for copy, specs in ((here, [job.solver for job in jobs]), (code.copy, code.specs.values()))
        )
        for number, job in enumerate(order.arranged(jobs)):
            on_start(job)
            other = dataclasses.replace(job, solver=code.specs[job.solver]) if job.solver in code.specs else None
            turn = None if other is None else uuid.uuid4().hex
            if other is not None and number % 2:
                campaign.kept(code.signed(run(second, other, turn)), others, others_answers)
            made = campaign.kept(run(first, job, turn), ours, answers)
            if other is not None and not number % 2:
                campaign.kept(code.signed(run(second, other, turn)), others, others_answers)
            yield made
