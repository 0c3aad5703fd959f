"""Measure one job: in the isolated process (`answer`), and as a record afterwards (`record_of`). A short run is repeated within
its process until the solving adds up to `WARM_SECONDS`, and its seconds are the median of these repeats: a single time of a
millisecond would measure loading code and cold caches. A tiling is written in a few bytes, for the picture beside its record.
"""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from statistics import median
from typing import Any, NamedTuple, cast

from tiler.ask.planner import searchers
from tiler.ask.solve import CoverAnswer, TilingAnswer, solve
from tiler.backends.base import Origin
from tiler.backends.coloring import Coloring
from tiler.backends.plugins import ensure
from tiler.backends.registry import parse_spec
from tiler.bench import code_fingerprint, environment
from tiler.bench.general_cover import GeneralCover
from tiler.bench.job import Job
from tiler.bench.judge import categorise
from tiler.bench.record import AnsweredPart, Category, Record, Surroundings, Warm
from tiler.bench.scramble import ScrambledCover, ScrambledForm, form_of
from tiler.errors import BadSolution
from tiler.kernels import load
from tiler.model.expected import Status
from tiler.model.instance import Instance
from tiler.model.tile import Placement
from tiler.process.isolate import Outcome, RunEnd
from tiler.question.certificate import Certificate
from tiler.question.question import Goal, Question
from tiler.question.result import Stop
from tiler.render import colours

MOST_COMPACT_CELLS = 2000  #: the most cells of the box around a board whose tilings are kept
_OPEN, _NONE = ".", " "
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def compact_tiling(instance: Instance, tiling: Sequence[Placement]) -> str | None:
    """The rows of the board, joined by `/`, a letter for each cell: pieces that share a side have different ones, `.` is a cell
    that stays open, a blank none. None for boards that are not of squares in a plane, and for large ones.
    """
    if not instance.has_boxes or instance.lattice.name != "square":
        return None
    rows, columns = (range(min(numbers), max(numbers) + 1) for numbers in zip(*instance.board, strict=True))
    numbers = colours.assign(instance.lattice, tiling)
    if len(rows) * len(columns) > MOST_COMPACT_CELLS or max(numbers, default=0) >= len(_LETTERS):
        return None
    letter_of = dict.fromkeys(instance.board, _OPEN)
    letter_of |= {cell: _LETTERS[number] for placement, number in zip(tiling, numbers, strict=True) for cell in placement.cells}
    return "/".join("".join(letter_of.get((row, column), _NONE) for column in columns) for row in rows)


WARM_SECONDS = 0.2
_MOST_REPEATS = 1000
_LEAST_WALL = 0.1  # seconds; in a shorter run the hundredths of a second in which a kernel counts say little

_STOPS = {RunEnd.TIME: Stop.TIME, RunEnd.MEMORY: Stop.MEMORY, RunEnd.INTERRUPTED: Stop.INTERRUPTED}


def deadline(job: Job) -> float | None:
    """The time at which the process is killed: searches stop by themselves at the limit; one that does not is killed a little
    later."""
    seconds = job.question.limits.seconds
    return None if seconds is None else 1.1 * seconds + 0.5


def prepare(solvers: Sequence[str], origins: Sequence[Origin | None] = ()) -> None:
    """Import modules and look at the machine once, in the process from which all runs are forked."""
    environment.surroundings()
    for origin in origins:
        ensure(origin)
    for spec in dict.fromkeys(solvers):
        code_fingerprint.fingerprint_of(spec)
        backend = parse_spec(spec)
        for searcher in searchers(backend):
            with contextlib.suppress(ImportError):  # The run itself will report this error.
                searcher.preload()
    # Filters import it when they are called; compiling it would take longer than the limit of a run.
    import_module("tiler.cover.kernel")
    load()


class Measured(NamedTuple):
    """The part of a record that the run itself measures."""

    answer: AnsweredPart
    on: Surroundings


def answer(job: Job, warm_seconds: float = 0.0, cores: Sequence[int] = ()) -> Measured:
    """Solve, as the process of the run: bound to some cores, if there are any."""
    if cores:
        os.sched_setaffinity(0, cores)
    noticed = _Noticed.now(cores)
    ensure(job.origin)
    form = form_of(job.instance, job.form)
    first = form.ask(job.solver, job.question)
    answered: AnsweredPart = {
        "status": first.result.status,
        "stop": first.result.stop,
        "beforehand": first.result.is_known_beforehand,
        "count": first.result.count,
        "symmetry": first.result.symmetry,
        "verified": len(first.solutions),
        "proved": _is_proved(job, first),
        "stats": first.result.counters,
        "message": first.result.message,
        "tiling": _first_tiling(form, first),
        "encode_seconds": first.encode_seconds,
        "solve_seconds": first.solve_seconds,
        "warm": None,
    }
    if first.result.stop is Stop.DONE and not first.result.is_known_beforehand and warm_seconds > 0:
        repeats = _again(job, form, first, warm_seconds)
        if repeats.encode:
            answered["encode_seconds"], answered["solve_seconds"] = median(repeats.encode), median(repeats.solve)
            answered["warm"] = repeats.summary(first)
    # An answer that is no JSON is an error of the backend in this run; it must not end the campaign.
    checked: AnsweredPart = json.loads(json.dumps(answered, allow_nan=False))
    return Measured(checked, {**_made_by(job), **noticed.fields()})


def _first_tiling(form: ScrambledForm | ScrambledCover, answer: TilingAnswer | CoverAnswer) -> str | None:
    """The first tiling of an answer in a few bytes, as one of the problem itself; None if there is none."""
    if not isinstance(form, ScrambledForm) or not isinstance(answer, TilingAnswer) or not answer.solutions:
        return None
    return compact_tiling(form.original, form.originals(answer.solutions[0]))


def _is_proved(job: Job, answer: TilingAnswer | CoverAnswer) -> bool:
    """Whether there is a proof for the answer that the checker has accepted. Where no solver searched, `coloring` makes one, in
    the time that the run has left; it knows nothing of corners that no tile may cross."""
    if isinstance(answer.result.certificate, Certificate):  # `solve` has checked it.
        return True
    if not answer.result.is_known_beforehand or isinstance(job.instance, GeneralCover) or not job.instance.crossing:
        return False
    limits = job.question.limits
    left = None if limits.seconds is None else max(0.0, limits.seconds - answer.encode_seconds - answer.solve_seconds)
    prove = Question(Goal.PROVE, replace(limits, seconds=left))
    return isinstance(solve(job.instance, Coloring(stages="area"), prove).result.certificate, Certificate)


def _made_by(job: Job) -> Surroundings:
    """The fields of a record that say on which machine and with which code a run here is measured."""
    return {"sources": code_fingerprint.fingerprint_of(job.solver), **environment.surroundings()}


class _Noticed(NamedTuple):
    """The state of the machine when a run began."""

    load: float
    megahertz: float | None
    cores: Sequence[int]
    wall: float
    own: float
    busy: float | None

    @classmethod
    def now(cls, cores: Sequence[int]) -> _Noticed:
        clocks = time.perf_counter(), _cpu_seconds(), environment.busy_seconds()
        return cls(os.getloadavg()[0], environment.megahertz(), cores, *clocks)

    def fields(self) -> Surroundings:
        """The fields of a record about this run, which ends now."""
        wall, busy = time.perf_counter() - self.wall, environment.busy_seconds()
        during = None
        if busy is not None and self.busy is not None and wall >= _LEAST_WALL:
            during = max(0.0, (busy - self.busy - (_cpu_seconds() - self.own)) / wall)
        bound = ",".join(map(str, self.cores)) or None
        return {"load": self.load, "load_during": during, "megahertz": self.megahertz, "cores_bound": bound}


class _Repeats(NamedTuple):
    """The seconds of each repeat, and of all repeats together."""

    encode: list[float]
    solve: list[float]
    wall_seconds: float
    cpu_seconds: float

    def summary(self, first: TilingAnswer | CoverAnswer) -> Warm:
        return {
            "runs": len(self.solve),
            "first_seconds": first.encode_seconds + first.solve_seconds,
            "least_seconds": min(self.solve),
            "most_seconds": max(self.solve),
            "wall_seconds": self.wall_seconds,
            "cpu_seconds": self.cpu_seconds,
        }


def _again(job: Job, form: ScrambledForm | ScrambledCover, first: TilingAnswer | CoverAnswer, seconds: float) -> _Repeats:
    """Repeat until the solving, the first included, adds up to `seconds`."""
    started, cpu = time.perf_counter(), _cpu_seconds()
    encode: list[float] = []
    took: list[float] = []
    total = first.encode_seconds + first.solve_seconds
    # Work other than solving, such as verifying a large tiling, must not take long either.
    while total < seconds and len(took) < _MOST_REPEATS and time.perf_counter() - started < 2 * seconds:
        again = form.ask(job.solver, job.question)
        if again.result.stop is not Stop.DONE:  # On a machine that stalls, this is the limit.
            break
        if (again.result.status, again.result.count) != (first.result.status, first.result.count):
            one, two = (f"{answer.result.status} {answer.result.count or ''}".strip() for answer in (first, again))
            raise BadSolution(f"{first.solver} answered {one}, and {two} when asked again")
        encode.append(again.encode_seconds)
        took.append(again.solve_seconds)
        total += again.encode_seconds + again.solve_seconds
    return _Repeats(encode, took, time.perf_counter() - started, _cpu_seconds() - cpu)


def _cpu_seconds() -> float:
    """The CPU seconds of this process and of its children that have ended."""
    try:
        import resource
    except ImportError:  # On Windows; in hundredths of a second.
        return sum(os.times()[:4])
    usages = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def record_of(job: Job, outcome: Outcome[Measured], started: str, jobs: int) -> Record:
    """The record of a run; `jobs` runs were made at a time."""
    # If a run does not say where it was made, it was most likely made here.
    answered, made_by = outcome.value or Measured(_unanswered(outcome), _made_by(job))
    failed = outcome.value is None and answered["stop"] is Stop.ERROR
    record: Record = {
        **job.head,
        "started": started,
        "jobs": jobs,
        "order": None,
        "turn": None,
        "calibration_seconds": None,
        **answered,
        "error": (type(outcome.error).__name__ if outcome.error else str(outcome.ended)) if failed else None,
        "wall_seconds": outcome.wall_seconds,
        "cpu_seconds": outcome.cpu_seconds,
        "peak_megabytes": outcome.peak_megabytes,
        "baseline_megabytes": outcome.baseline_megabytes,
        "category": Category.UNKNOWN,
        **made_by,
    }
    record["category"], why = categorise(record)
    record["message"] = _impersonal(why or answered["message"] or "")
    log = (answered["stats"] or {}).get("log")
    if isinstance(log, list):
        record["stats"] = {**(answered["stats"] or {}), "log": [_impersonal(str(line)) for line in log]}
    return record


def _unanswered(outcome: Outcome[Measured]) -> AnsweredPart:
    """The status and the message for a run that ended without an answer."""
    answered: dict[str, Any] = {
        **dict.fromkeys(AnsweredPart.__annotations__),
        "status": Status.UNKNOWN,
        "stop": _STOPS.get(outcome.ended, Stop.ERROR),
        "verified": 0,
        "proved": False,
        "stats": {},
        "message": outcome.reason,
    }
    return cast("AnsweredPart", answered)


def _impersonal(text: str) -> str:
    """A message without the user's name, which paths often contain."""
    home = os.path.expanduser("~").rstrip("/")
    return text.replace(home, "~") if home else text
