"""Answers from the frontier: which part of it serves which question, within the memory and under the eyes of the caller."""

from __future__ import annotations

import time
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tiler.backends.drive import drive
from tiler.backends.frontier.cells import Uses
from tiler.backends.frontier.layers import Layers
from tiler.backends.frontier.model import Model
from tiler.backends.frontier.runs import Runs
from tiler.backends.frontier.search import FrontierSearch
from tiler.backends.frontier.walk import Walk
from tiler.model.expected import Status
from tiler.process.memory import resident_megabytes
from tiler.question.events import Events, Progress
from tiler.question.question import Goal, Limits, Question
from tiler.question.result import Result, Stop

_PAUSE_SECONDS = 0.02  # between two looks at the clock
_SHARE = 0.85  # of the memory there is, for the large arrays; the rest is for what is made in passing
_SHARE_OF_LAYERS = 0.6  # of that, where there is a folder to spill to
_SHARE_OF_RUNS = 0.25  # for buffers, while the layers are still there
_MEBIBYTE = 1 << 20
_MORE_MEMORY = "a higher memory limit gives it more"


def budget_of(limits: Limits) -> int:
    """How many bytes the arrays of a search may take: what the limit leaves, by default half of the memory that is free."""
    free = max(1.0, limits.megabytes - resident_megabytes()) if limits.megabytes else _free_megabytes() / 2
    return int(_SHARE * free * _MEBIBYTE)


def search(model: Model, question: Question, events: Events, budget: int) -> Result:
    """One tiling, or some, depth first."""
    search = FrontierSearch(model, budget)
    result = drive(
        question,
        events,
        step=lambda nodes: search.step(nodes, stop_at_solutions=question.goal is not Goal.COUNT),
        nodes=lambda: search.nodes,
        found=lambda: search.found,
        chosen=search.chosen,
        stats=lambda: {"profiles": search.profiles, "failed": search.failed},
    )
    if not search.short:
        return result
    status = Status.SAT if search.found else Status.UNKNOWN
    return Result(status, Stop.MEMORY, stats=result.stats, message=f"{_shortage(budget)}; {_MORE_MEMORY}")


def count(
    model: Model, events: Events, budget: int, *, threads: int, spill: Path | None, origin: NDArray[np.int32] | None
) -> Result:
    """The number of tilings. With `origin` (option numbers for answers) also `stats["uses"]`: option to tilings that use it."""
    keep = origin is not None
    spills = spill is not None and not keep
    layers = Layers(model, keep=keep, budget=int(budget * _SHARE_OF_LAYERS) if spills else budget, threads=threads)
    if not _watch(layers.build(), layers, events):
        return _unfinished(layers, Stop.INTERRUPTED)
    if layers.short:
        if spill is not None and spills:
            return _count_on_disk(layers, spill, int(budget * _SHARE_OF_RUNS), events)
        return _unfinished(layers, Stop.MEMORY, _shortage_of(layers, spill is None and not keep))
    stats: dict[str, Any] = {}
    if origin is not None:
        uses = Uses(layers)
        if layers.bytes + uses.bytes > budget:
            return _unfinished(layers, Stop.MEMORY, f"{_shortage(budget)}; {_MORE_MEMORY}")
        if not _watch(uses.run(), layers, events):
            return _unfinished(layers, Stop.INTERRUPTED)
        stats["uses"] = {int(origin[option]): uses for option, uses in uses.by_option().items()}
    return _counted(layers.total(), {**_stats(layers), **stats})


def enumerate_all(model: Model, question: Question, events: Events, budget: int, threads: int) -> Result:
    """All tilings, back through the layers; depth first if these do not fit into memory."""
    layers = Layers(model, keep=True, budget=budget, threads=threads)
    if not _watch(layers.build(), layers, events):
        return _unfinished(layers, Stop.INTERRUPTED)
    if layers.short:
        layers.free()
        return search(model, question, events, budget)
    found, paused, exhausted = 0, time.perf_counter(), True
    for options in Walk(layers).all():
        if options is not None:
            found += 1
            events.solution(options)
        now = time.perf_counter()
        if now - paused > _PAUSE_SECONDS:
            if not events.tick(Progress(layers.states, found)):
                exhausted = False
                break
            paused = time.perf_counter()
    stats = {key: value for key, value in _stats(layers).items() if key != "found"}
    return Result.of_search(question, found=found, exhausted=exhausted, stats=stats)


def draw(model: Model, question: Question, events: Events, budget: int, threads: int) -> Result:
    """As many tilings as the limit says, drawn at random with the query's seed: any may come again."""
    layers = Layers(model, keep=True, budget=budget, threads=threads)
    if not _watch(layers.build(), layers, events):
        return _unfinished(layers, Stop.INTERRUPTED)
    if layers.short:
        return _unfinished(layers, Stop.MEMORY, _shortage_of(layers, False))
    total = layers.total()
    if not total:
        return _counted(0, _stats(layers))
    stats = {**_stats(layers), "tilings": total}
    wanted = question.limits.solutions or 1
    found = 0
    for options in Walk(layers).draw(question.seed):
        if options is not None:
            found += 1
            events.solution(options)
        if found == wanted:
            return Result(Status.SAT, Stop.SOLUTIONS, stats={**stats, "found": found})
        if not events.tick(Progress(layers.states, found, found / wanted)):
            return Result(Status.SAT if found else Status.UNKNOWN, Stop.INTERRUPTED, stats={**stats, "found": found})
    raise AssertionError("draws do not end")


def _count_on_disk(layers: Layers, folder: Path, budget: int, events: Events) -> Result:
    runs = Runs(layers, folder, budget)
    with closing(runs.count()) as going_on:  # Whatever happens, its files go now, and not when somebody collects garbage.
        if not _watch(going_on, runs, events):
            return _unfinished(layers, Stop.INTERRUPTED)
    spilled = {"nodes": runs.states, "transitions": layers.transitions + runs.transitions, "spilled_bytes": runs.bytes_written}
    return _counted(runs.total, {**_stats(layers), **spilled})


def _watch(going_on: Iterable[float], states: Layers | Runs, events: Events) -> bool:
    """Let something go on to its end, with ticks; False if it was told to stop."""
    return all(events.tick(Progress(states.states, 0, fraction)) for fraction in going_on)


def _counted(count: int, stats: dict[str, Any]) -> Result:
    return Result(Status.SAT if count else Status.UNSAT, Stop.DONE, count=count, stats={**stats, "found": count})


def _unfinished(layers: Layers, stop: Stop, message: str = "") -> Result:
    return Result(Status.UNKNOWN, stop, stats=_stats(layers), message=message)


def _stats(layers: Layers) -> dict[str, Any]:
    return {
        "found": 0,
        "nodes": layers.states,
        "transitions": layers.transitions,
        "profiles": layers.profiles,
        "array_bytes": layers.peak,
    }


def _shortage_of(layers: Layers, can_spill: bool) -> str:
    where = f"cell {layers.position:,} of {layers.model.cells:,}"
    advice = "the option spill=FOLDER goes on on disk" if can_spill else _MORE_MEMORY
    return f"{_shortage(layers.budget)} at {where}, with {layers.states:,} states; {advice}"


def _shortage(budget: int) -> str:
    return f"the {budget / _MEBIBYTE:,.0f} MiB there are for states do not suffice"


def _free_megabytes() -> float:
    """The memory that could be used now, in MiB; where the system does not tell, half of what there is."""
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("MemAvailable:")) / 1024
    except (OSError, StopIteration, ValueError, IndexError):
        import os

        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / _MEBIBYTE / 2
