"""Print what a campaign will run before it begins: how many runs, how long they take at most, and what they will not tell."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tiler import printable
from tiler.amounts import counted, duration
from tiler.cli.campaign.progress import busy, talk
from tiler.cli.shared import output
from tiler.render import table

if TYPE_CHECKING:
    from tiler.bench.job import Job

_WIDTH = 80
_BUSY = 0.3  # cores that other programs may use before a warning is given


def announce(jobs: Sequence[Job], todo: Sequence[Job], executor: str) -> None:
    """Print what will be run, and warn about what will disturb it."""
    from tiler.bench import environment
    from tiler.bench.job import is_hopeless

    problems, solvers = {job.name for job in jobs}, {job.solver for job in jobs}
    repeats = max((job.repeat for job in jobs), default=0) + 1
    several = f", {repeats} times" if repeats > 1 else ""
    seeds = len({job.question.seed for job in jobs})
    several += f", {seeds} seeds" if seeds > 1 else ""
    forms = max((job.form for job in jobs), default=0) + 1
    several += f", {forms} forms" if forms > 1 else ""
    slots = int(executor.removeprefix("local:")) if executor.removeprefix("local:").isdigit() else 0
    worst = sum(job.question.limits.seconds or 0.0 for job in todo) / max(1, slots)
    at_most = f", at most {duration(worst, 2)}" + ("" if slots else " divided by the workers") if todo else ""
    talk(
        f"{counted(len(jobs), 'run')} ({counted(len(problems), 'problem')}, {counted(len(solvers), 'solver')}{several}), "
        f"{len(jobs) - len(todo)} of them recorded already{at_most}"
    )
    hopeless = [job for job in todo if is_hopeless(job)]
    if hopeless:
        who = " and ".join(dict.fromkeys(job.solver.partition(":")[0] for job in hopeless))
        talk(
            f"{counted(len(hopeless), 'run')} by {who} come last: it can only prove that there is no tiling, and these problems "
            "are expected to have one"
        )
    if todo and slots:
        there, at_work = environment.cores(), environment.busy_cores()
        if slots > there:
            talk(f"warning: {slots} runs at a time on {counted(there, 'core')}: they disturb each other: seconds mean little")
        elif at_work + slots > there + _BUSY:
            talk(f"warning: the machine is busy ({at_work:.1f} of {counted(there, 'core')} at work): seconds will be too large")


def tell(todo: Sequence[Job], jobs: Sequence[Job], executor: str, *, verbose: bool) -> None:
    """Print what would be run: the number of runs of each solver, or if `verbose` every run in its order."""
    from tiler.bench.job import is_hopeless
    from tiler.report.names import short

    announce(jobs, todo, executor)
    if not todo:
        print("nothing to run")
        return
    if verbose:
        for job in todo:
            print(printable.line(f"{job.name}  {job.solver}  seed {job.question.seed}  repeat {job.repeat}  form {job.form}"))
        return
    rows = []
    for solver in dict.fromkeys(job.solver for job in jobs):
        left = [job for job in todo if job.solver == solver]
        seconds = sum(job.question.limits.seconds or 0.0 for job in left)
        recorded = sum(job.solver == solver for job in jobs) - len(left)
        last = [str(sum(map(is_hopeless, left)))] if any(map(is_hopeless, todo)) else []
        rows.append((short(solver), str(len(left)), *last, str(recorded), duration(seconds, 2)))
    heads = ("solver", "runs", *(["come last"] if any(map(is_hopeless, todo)) else []), "recorded", "at most")
    print(table.draw(rows, heads, width=_WIDTH, colour=output.is_coloured(sys.stdout)))


def tell_alike(jobs: Sequence[Job]) -> None:
    """Say which solvers get one and the same formula of many problems."""
    from tiler.report.names import shortened

    with busy("comparing the formulas"):
        from tiler.bench import distinct

        compared = distinct.by_formulas(jobs)
    names = shortened({job.solver: None for job in jobs})
    large = f" ({counted(compared.left_out, 'problem')} with large formulas not looked at)" if compared.left_out else ""
    for some in compared.alike:
        talk(some.in_words(names, f"get one and the same formula{large}"))
