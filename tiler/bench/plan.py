"""Plan a campaign from a TOML file, from options, or by default.

    title = "Orders of the simple solver"
    output = "results/orders"          # where the records go
    order = "random"                   # the order of the runs: random:7 is another one, size takes small boards first
    problems = "extra"                 # the folder of problems, named from where this file is; by default as --problems says
    tag = ["thesis"]                   # problems with one of these tags whose
    filter = ["4?/*_u", "mixed"]       # name fits one of these; without either, those tagged thesis
    instances = ["extra/puzzle.txt"]   # and these files, named from where this file is; .dlx are general exact covers
    only = ["4L/10x10_u"]              # of all these the ones with these names: what --filter and --tag left
    solvers = ["backtracking", "backtracking:order=rare"]    # a file in one, as cells=FILE, is named from here
    goal = "decide"                    # or "count"
    time-limit = "10s"
    memory-limit = "2G"
    threads = 1                        # of a run; records with other numbers are not compared with these
    repeat = 3
    scramble = 5                       # ask about each problem in N forms that mean the same: see scramble.py
    seeds = 10                         # and each of these with N seeds, where a seed makes a difference

    [[solver]]                         # a program of others: see tiler/backends/command; if no solvers are
    name = "cadical 1.5"               # named, those declared here are meant
    command = "cadical -q {cnf}"
    input = "cnf"
    output = "dimacs"

    [[part]]                           # any number of parts, each with its own settings over those above
    filter = ["many-unique"]
    time-limit = "1m"

All of it may be missing: without solvers, all that are installed are asked, each about the problems that it does not refuse.
Options on the command line win over the file, but --filter and --tag choose among its problems. campaign_file.py writes such a
file into the folder of the records.
"""

from __future__ import annotations

import argparse
import os
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from tiler import formats
from tiler.backends.registry import with_files
from tiler.bench import corpus, refusals
from tiler.bench.campaign import named_specs
from tiler.bench.general_cover import ENDING, GeneralCover
from tiler.bench.job import Job, matrix
from tiler.bench.order import RunOrder
from tiler.bench.refusals import Refusal
from tiler.errors import BadOption, InputError, suggest
from tiler.jsontext import shown
from tiler.model.instance import Instance
from tiler.question.quantities import megabytes, seconds
from tiler.question.question import Goal, Limits, Question

DEFAULT_TAG = "thesis"
MOST_REPEATS = 10_000  #: the most repeats in a campaign, since all runs are listed before the first one is made
MOST_THREADS = 1024  #: the most threads of a run
DEFAULT_OUTPUT = "results/bench"  #: the folder of the records if nobody names one


class PlannedRuns(NamedTuple):
    """The runs to be made, and those left out because the solver refuses them."""

    jobs: tuple[Job, ...]
    refusals: tuple[Refusal, ...] = ()


@dataclass(frozen=True)
class CampaignPart:
    """Some problems against some solvers under one set of limits."""

    problems: str | None = None  #: the folder of problems; None: the usual one
    filter: tuple[str, ...] = ()
    tag: tuple[str, ...] = ()
    instances: tuple[str, ...] = ()  #: the paths of problem files
    only: tuple[str, ...] = ()  #: the names of the problems that are taken of all these; all if empty
    solvers: tuple[str, ...] = ()
    goal: Goal = Goal.DECIDE
    time_limit: float = 10.0
    memory_limit: int = 2048
    threads: int = 1
    repeat: int = 1
    seeds: int = 1
    scramble: int = 1  #: the number of forms of each problem

    @property
    def question(self) -> Question:
        return Question(self.goal, Limits(self.time_limit, self.memory_limit, threads=self.threads))

    @property
    def names_problems(self) -> bool:
        """Whether it says which problems it is about."""
        return bool(self.filter or self.tag or self.instances or self.problems is not None)

    def chosen(self) -> tuple[Instance | GeneralCover, ...]:
        """The problems it is about; without a filter those with the usual tag, or all of a folder that is named."""
        return tuple(problem for problem in self._candidates() if not self.only or problem.name in self.only)

    def _candidates(self) -> tuple[Instance | GeneralCover, ...]:
        files = tuple(GeneralCover.read(path) if path.endswith(ENDING) else formats.read(path) for path in self.instances)
        if files and not self.filter and not self.tag:
            return files
        folder = corpus.find_folder(self.problems)
        if self.filter or self.tag:
            return corpus.select(folder, self.filter, self.tag) + files
        everything = corpus.select(folder)
        if self.problems is not None:
            return everything
        return tuple(instance for instance in everything if DEFAULT_TAG in instance.about.tags) or everything

    def runs(self) -> PlannedRuns:
        """The runs of the part. Solvers that nobody named are asked only what they do not refuse."""
        problems, specs = self.chosen(), named_specs(self.solvers, self.goal)
        jobs = matrix(problems, specs, self.question, self.repeat, self.seeds, self.scramble)
        return PlannedRuns(jobs) if self.solvers else PlannedRuns(*refusals.divided(jobs))


@dataclass(frozen=True)
class Campaign:
    """A campaign: where its records go, its parts, and the order of its runs."""

    title: str = ""
    output: str | None = None  #: None: nobody named a folder
    parts: tuple[CampaignPart, ...] = field(default=(CampaignPart(),))
    order: RunOrder | None = None  #: None: nobody named one

    def runs(self) -> PlannedRuns:
        """The runs of all parts, each once."""
        parts = [part.runs() for part in self.parts]
        jobs = {job.key: job for part in parts for job in part.jobs}
        return PlannedRuns(tuple(jobs.values()), tuple(dict.fromkeys(refusal for part in parts for refusal in part.refusals)))

    def over(self, settings: Mapping[str, Any]) -> Campaign:
        """The campaign with some settings of its parts, by their names here, replaced."""
        return replace(self, parts=tuple(replace(part, **settings) for part in self.parts))

    def narrowed(self, filters: Sequence[str], tags: Sequence[str]) -> Campaign:
        """The campaign with those of its problems that fit one of the filters and have one of the tags; parts without such a
        problem are left out. A part that does not say which problems it is about takes all that fit.

        InputError if a filter fits no problem of the campaign, or if no problem is left; it says what the campaign has.
        """
        if not filters and not tags:
            return self
        free = [part if part.names_problems else replace(part, filter=tuple(filters), tag=tuple(tags)) for part in self.parts]
        chosen = [part.chosen() for part in free]
        names = list(dict.fromkeys(problem.name for problems in chosen for problem in problems))
        dead = [pattern for pattern in filters if not any(corpus.fits(name, pattern) for name in names)]
        if dead:
            raise InputError(f"no problem of this campaign fits {' or '.join(map(repr, dead))}; {corpus.in_words(names)}")
        left = []
        for part, problems in zip(free, chosen, strict=True):
            fitting = [problem for problem in problems if not filters or any(corpus.fits(problem.name, each) for each in filters)]
            only = tuple(problem.name for problem in fitting if not tags or not set(tags).isdisjoint(problem.about.tags))
            if only:
                left.append(part if len(only) == len(problems) else replace(part, only=only))
        if not left:
            there = sorted({tag for problems in chosen for problem in problems for tag in problem.about.tags})
            which = f" that fits {' or '.join(map(repr, filters))}" if filters else ""
            raise InputError(
                f"no problem of this campaign{which} has the tag {' or '.join(tags)}; tags: {', '.join(there) or 'none'}"
            )
        return replace(self, parts=tuple(left))


def read(path: str) -> Campaign:
    """The campaign in a TOML file; InputError says what is wrong with it."""
    try:
        content = tomllib.loads(formats.load(path))
    except tomllib.TOMLDecodeError as error:
        raise InputError(str(error), path) from None
    except ValueError:
        raise InputError("a number has thousands of digits", path) from None
    except RecursionError:
        raise InputError("nested too deeply", path) from None
    try:
        return _plan(content, Path(path))
    except (InputError, BadOption) as error:
        raise InputError(str(error), path) from None


def _plan(content: Mapping[str, Any], file: Path) -> Campaign:
    if "solver" in content:
        from tiler.backends.command import solver_tables

        declared = solver_tables.define_all(content["solver"], file)
        content = {"solvers": list(declared), **{key: value for key, value in content.items() if key != "solver"}}
    head = {key: _text(key, content[key]) for key in _HEAD if key in content}
    order = RunOrder.read(head.pop("order")) if "order" in head else None
    parts = content.get("part", [{}])
    if not isinstance(parts, list) or not parts or not all(isinstance(part, dict) for part in parts):
        raise InputError("a part is written as [[part]]")
    common = {key: value for key, value in content.items() if key not in (*_HEAD, "part")}
    return Campaign(**head, parts=tuple(_part({**common, **part}, file.parent) for part in parts), order=order)


def _part(settings: Mapping[str, Any], folder: Path) -> CampaignPart:
    values: dict[str, Any] = {}
    for key, value in settings.items():
        if key not in _SETTINGS:
            raise InputError(f"unknown setting {key!r}{suggest(key, _SETTINGS)}; there are {', '.join(_SETTINGS)}")
        values[key.replace("-", "_")] = _SETTINGS[key](key, value)
    if "instances" in values:
        values["instances"] = tuple(os.path.normpath(folder / name) for name in values["instances"])
    if "problems" in values:
        values["problems"] = os.path.normpath(folder / values["problems"])
    if "solvers" in values:
        values["solvers"] = tuple(with_files(spec, folder) for spec in values["solvers"])
    return CampaignPart(**values)


def _text(key: str, value: Any) -> str:
    if not isinstance(value, str):
        raise InputError(f"{key} must be a text")
    return value


def _texts(key: str, value: Any) -> tuple[str, ...]:
    listed: Sequence[Any] = [value] if isinstance(value, str) else value if isinstance(value, list) else [None]
    if not all(isinstance(text, str) for text in listed):
        raise InputError(f'{key} must be a list of texts, such as ["a", "b"]')
    return tuple(listed)


def _quantity(read_it: Callable[[str], float | int]) -> Callable[[str, Any], float | int]:
    def check(key: str, value: Any) -> float | int:
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise InputError(f"{key}: {shown(value)} is neither a text nor a number")
        try:
            return read_it(str(value))
        except argparse.ArgumentTypeError as error:
            raise InputError(f"{key}: {error}") from None

    return check


def _goal(key: str, value: Any) -> Goal:
    if value not in (Goal.DECIDE, Goal.COUNT):
        raise InputError(f"{key} must be decide or count")
    return Goal(value)


def _number(most: int) -> Callable[[str, Any], int]:
    def check(key: str, value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
            raise InputError(f"{key} must be a whole number from 1 to {most:,}")
        return value

    return check


_HEAD = ("title", "output", "order")  # settings of the whole campaign
_SETTINGS: dict[str, Callable[[str, Any], Any]] = {
    "problems": _text,
    "filter": _texts,
    "tag": _texts,
    "instances": _texts,
    "only": _texts,
    "solvers": _texts,
    "goal": _goal,
    "time-limit": _quantity(seconds),
    "memory-limit": _quantity(megabytes),
    "threads": _number(MOST_THREADS),
    "repeat": _number(MOST_REPEATS),
    "seeds": _number(MOST_REPEATS),
    "scramble": _number(MOST_REPEATS),
}
