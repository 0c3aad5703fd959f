"""Make campaigns of what a person chose: which problems there are, who refuses them, and the campaign file. `tiler bench` reads
the same file, so the command makes the same runs."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from tiler.api.forms import solver_forms
from tiler.apps.studio import naming
from tiler.apps.studio.campaign_messages import (
    CampaignMessage,
    ProblemFilterMessage,
    ProblemNamesMessage,
    RefusalMessage,
    RefusalsMessage,
    SolverFormMessage,
    SolverFormsMessage,
    SolverOptionMessage,
)
from tiler.apps.studio.engine import instance_of
from tiler.apps.studio.results_folder import ResultsFolder
from tiler.bench import campaign_file, corpus, plan, refusals
from tiler.bench.campaign import full_specs
from tiler.bench.campaign_file import PLAN
from tiler.bench.job import matrix
from tiler.bench.plan import Campaign, CampaignPart
from tiler.errors import InputError, TilerError
from tiler.formats import json as instance_json
from tiler.model.instance import Instance
from tiler.process import files
from tiler.question.question import Goal

MOST_PROBLEMS, MOST_SOLVERS, MOST_RUNS = 2000, 60, 100_000
_LOOKED_AT = 60  # problems that refusals are found out for
_MOST_SECONDS, _MOST_MEGABYTES = 7 * 24 * 3600.0, 1 << 20
DRAWN = "drawn.json"


def forms() -> SolverFormsMessage:
    """All solvers with their options."""
    return SolverFormsMessage(
        tuple(
            SolverFormMessage(form.name, form.help, form.missing, tuple(SolverOptionMessage(**vars(one)) for one in form.options))
            for form in solver_forms()
        )
    )


def problems(message: ProblemFilterMessage) -> ProblemNamesMessage:
    """The problems whose names fit, small numbers first."""
    return ProblemNamesMessage(tuple(name for name in naming.problem_names() if corpus.fits(name, message.filter)))


def refused(message: CampaignMessage) -> RefusalsMessage:
    """The solvers that refuse problems of a campaign. Where there are many problems, some of them are looked at."""
    chosen = _instances(message)
    step = max(1, len(chosen) // _LOOKED_AT)
    some = chosen[::step][:_LOOKED_AT]
    part = _part(message)
    messages = []
    for spec in message.solvers:
        try:
            _, found = refusals.divided(matrix(some, full_specs([spec], part.goal), part.question))
        except TilerError as error:
            messages.append(RefusalMessage(spec, True, str(error)))
            continue
        names = {refusal.problem for refusal in found}
        is_all = len(names) == len(some)
        if found:
            problem = "the problem" if len(some) == 1 else "each of the problems"
            which = problem if is_all else f"{len(names)} of {len(some)} problems"
            messages.append(RefusalMessage(spec, is_all, f"refuses {which}: {found[0].reason}"))
    return RefusalsMessage(tuple(messages), len(some))


def create(message: CampaignMessage, folder: ResultsFolder) -> Path:
    """Make the folder of a campaign with its file; InputError, and no folder, if something is wrong with it."""
    _check(message)
    drawn = instance_of(message.drawn) if message.drawn is not None else None
    # A campaign file may name files in specs. A page may not: BadOption here, before there is a file that `plan` reads.
    runs = len(full_specs(message.solvers, Goal(message.goal))) * (len(_instances(message))) * message.repeat * message.seeds
    if runs > MOST_RUNS:
        raise InputError(f"these are {runs:,} runs; a campaign of the studio has at most {MOST_RUNS:,}")
    path = folder.new(message.name)
    if drawn is not None:
        files.write(path / DRAWN, instance_json.write(drawn).encode("utf-8", "backslashreplace"))
    files.write(path / PLAN, toml(message, path).encode("utf-8", "backslashreplace"))
    plan.read(str(path / PLAN))
    return path


def toml(message: CampaignMessage, path: Path) -> str:
    """The campaign file."""
    filters = tuple(_exactly(name) for name in message.problems)
    drawn = (str(path / DRAWN),) if message.drawn is not None else ()
    part = replace(_part(message), filter=filters, instances=drawn)
    return campaign_file.text(Campaign(message.title or message.name, parts=(part,)), path)


def _exactly(name: str) -> str:
    """A filter that fits this problem and no other."""
    others = [other for other in naming.problem_names() if corpus.fits(other, name)]
    return name if others == [name] else f"/^{re.escape(name)}$/"


def _part(message: CampaignMessage) -> CampaignPart:
    """What is asked of which solvers, without the problems."""
    return CampaignPart(
        solvers=message.solvers,
        goal=Goal(message.goal),
        time_limit=message.seconds,
        memory_limit=message.megabytes,
        threads=message.threads,
        repeat=message.repeat,
        seeds=message.seeds,
    )


def _instances(message: CampaignMessage) -> list[Instance]:
    chosen = [naming.instance_called(name) for name in message.problems]
    return chosen if message.drawn is None else [*chosen, instance_of(message.drawn)]


def _check(message: CampaignMessage) -> None:
    """InputError if a number is out of its range, or nothing is chosen."""
    if not message.problems and message.drawn is None:
        raise InputError("choose at least one problem")
    if not message.solvers:
        raise InputError("choose at least one solver")
    if len(message.title) > 120:
        raise InputError("the title has at most 120 characters")
    ranges = {
        "problems": (len(message.problems), 0, MOST_PROBLEMS),
        "solvers": (len(message.solvers), 1, MOST_SOLVERS),
        "seconds": (message.seconds, 0.01, _MOST_SECONDS),
        "megabytes": (message.megabytes, 16, _MOST_MEGABYTES),
        "threads": (message.threads, 1, plan.MOST_THREADS),
        "repeat": (message.repeat, 1, plan.MOST_REPEATS),
        "seeds": (message.seeds, 1, plan.MOST_REPEATS),
    }
    for name, (value, least, most) in ranges.items():
        if not least <= value <= most:
            raise InputError(f"{name}: {value:g} is not between {least:g} and {most:g}")
