"""The figures of the compiled search, each with its target, and xcover beside ours.

    python scripts/bench_search.py                    all of them: some minutes
    python scripts/bench_search.py --quick            one repeat, without the long counts
    python scripts/bench_search.py --only 6x10 --only symmetry --repeat 5

CPU seconds of the search on one thread, without listing the placements; the minimum of several repeats, and those of a part take
turns, so that a machine that slows down does so for all. Every run of ours is a process of its own, whose peak of resident
memory is kept. xcover comes from PyPI through scripts/peers.py, into an environment of its own; without it, what is measured
against it is left out. Exit status 1 if a target is missed, 4 if a count is wrong.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import peers

ROOT = Path(__file__).parents[1]


# What is measured: change specs here.
LONG = 60  # of his seconds: rows that take longer are run once

#: The same puzzles by ours: their number up to symmetry, the seconds of his best row, and specs beside `auto`.
OURS: tuple[tuple[str, int, float | None, tuple[str, ...]], ...] = (
    ("classic/pentominoes-06x10_s", 2339, 0.157, ("fila",)),
    ("classic/one-sided-05x18_s", 686_628, 1152, ("frontier",)),
    ("classic/tetris-cube_s", 9839, 17.0, ("dlx:anchor=tile8,order=mrv+cells:6", "dlx:anchor=tile8,order=cells")),
    ("classic/bedlam_s", 19_186, None, ("dlx:anchor=V2,order=mrv+cells:6", "dlx")),
    ("classic/big-brother_s", 14_177, None, ("dlx:anchor=V1,order=mrv+cells:6",)),
    (
        "classic/PT_s",
        51_184,
        60.6,
        tuple(f"dlx:anchor={tile},order=mrv+cells:6,volume=13" for tile in ("5T", "5X")),
    ),
)
FASTEST_PLANE = "fila"
ONE_STEP = "fila:window=off"  # lists by the neighbours only, as Busche has them
BOXES = "dlx:order=mrv+cells:6"
PLANE = {"fila": FASTEST_PLANE, "fila, no window": ONE_STEP, "dlx": "dlx", "backtracking": "backtracking"}
DECIDERS = ("backtracking", "dlx", "dlx:order=first", "fila", "fila:window=off", "fila:order=e", "fila:order=s", "frontier")

FREE = tuple(f"1:5{letter}" for letter in "FILNPTUVWXYZ")
ONE_SIDED = tuple(f"1:5{letter}" for letter in "AFGJPSYRNLQZITUVWX")
# The board of the twelve pentominoes beside a bar of 11 cells, which lies in one way: 71 cells, two words.
WITH_BAR = ("xxxxxxxxxx./" * 6 + ".../" + "x" * 11, *FREE, "1:" + "x" * 11)
TETROMINOES = tuple(f"4{letter}" for letter in "ILOST")
PREFIX = 20_000_000  # nodes of a search that is cut short
LEAST_SECONDS = 0.2  # what is over sooner is repeated within its process

SOMA_TILES = ("1:3L", "1:4L", "1:4S", "1:4T", "1:4^", "1:4<", "1:4>")
LESS_2X2 = "/".join(["xxxxxxxx"] * 3 + ["xxx..xxx"] * 2 + ["xxxxxxxx"] * 3)


@dataclass(frozen=True)
class Run:
    """One search of ours, or of xcover, for which `spec` is None."""

    shapes: tuple[str, ...]  #: a problem's name, or a board and tiles
    spec: str | None
    reflections: bool = False
    goal: str = "count"
    up_to_symmetry: bool = False
    nodes: int | None = None
    checkpoint: float | None = None  #: seconds between two saves
    threads: int = 1


#: By several threads: what it is called, the run, its answer if that is known, and how many times as fast two threads are to be.
THREADED: tuple[tuple[str, Run, int | None, float], ...] = (
    ("6x15, 18 one-sided", Run(("6x15", *ONE_SIDED), "frontier"), 10_268_732, 1.7),
    ("5x18, 18 one-sided", Run(("5x18", *ONE_SIDED), "frontier"), 2_746_512, 1.7),
    ("10x10, pentominoes", Run(("10x10", *(f"5{letter}" for letter in "FILNPTUVWXYZ")), "frontier", True), None, 1.7),
    ("10x10, tetrominoes", Run(("10x10", *TETROMINOES), "frontier", True), None, 1.7),
    ("Tetris Cube", Run(("classic/tetris-cube_s",), "auto", up_to_symmetry=True), 9839, 1.7),
    ("PT", Run(("classic/PT_s",), "auto", up_to_symmetry=True), 51_184, 1.7),
    ("Bedlam", Run(("classic/bedlam_s",), "auto", up_to_symmetry=True), 19_186, 1.7),
    ("Big Brother", Run(("classic/big-brother_s",), "auto", up_to_symmetry=True), 14_177, 1.7),
    ("3x4x5", Run(("classic/pentacubes-5x4x3_s",), "auto", up_to_symmetry=True), 3940, 1.7),
    ("6x10", Run(("6x10", *FREE), "auto", True), 9356, 1.3),
)


@dataclass(frozen=True)
class Outcome:
    """What a run came to."""

    answer: int | None  #: a count, or whether there is a tiling; None if it was cut short
    cpu_seconds: float
    nodes: int = 0
    megabytes: float = 0.0
    saving_seconds: float = 0.0  #: CPU seconds spent on checkpoints
    fits: Sequence[int] = ()
    nofits: Sequence[int] = ()
    wall_seconds: float = 0.0


@dataclass(frozen=True)
class Line:
    """A figure: what it is, how large, and, if there is a target, which and whether it is met."""

    what: str
    figure: str
    target: str = ""
    met: bool | None = None


@dataclass
class Lab:
    """Makes runs and remembers what was wrong and how much memory they took."""

    repeat: int
    quick: bool
    has_xcover: bool
    memory: dict[str, float] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)

    def measure(self, runs: Mapping[str, Run], answer: int | None = None) -> dict[str, Outcome]:
        """The fastest of some repeats of each run, by turns; what the answers should be, if that is known."""
        best: dict[str, Outcome] = {}
        for _ in range(self.repeat):
            for name, run in runs.items():
                outcome = _run_ours(run) if run.spec else _run_xcover(run)
                if run.spec:
                    key = f"{run.spec} on {' '.join(run.shapes)[:30]}"
                    self.memory[key] = max(self.memory.get(key, 0.0), outcome.megabytes)
                if answer is not None and outcome.answer != answer:
                    self.wrong.append(f"{name}: {outcome.answer}, not {answer}")
                if name not in best or outcome.cpu_seconds < best[name].cpu_seconds:
                    best[name] = outcome
        return best


# --- the parts


def table1(lab: Lab) -> Iterator[Line]:
    """Busche's Table 1 row by row; on the right his seconds."""
    from tiler.report.like.fila import PUBLISHED

    for row in PUBLISHED:
        if lab.quick and row.seconds > LONG:
            yield Line(f"{row.row} left out of --quick", "")
            continue
        path = f"results/reference/busche-problems/{row.problem}.txt"
        once = replace(lab, repeat=1) if row.seconds > LONG else lab
        found = _only(once.measure({row.row: Run((path,), row.spec)}))
        no_fits = sum(found.nofits)
        told = f"fits {_beside(found.nodes, row.fits)}" + (f", no-fits {_beside(no_fits, row.no_fits)}" if found.nofits else "")
        yield Line(row.row, f"{found.cpu_seconds:.3f} s", f"{row.seconds:g} s", found.cpu_seconds <= row.seconds)
        yield Line(f"  {row.spec}", "")
        yield Line(f"  {told}", "")


def ours(lab: Lab) -> Iterator[Line]:
    """The puzzles of Busche's Table 1, and two cubes, by default and by the best specs known; on the right his best seconds."""
    for name, answer, seconds, best in OURS:
        runs = {spec: Run((name,), spec, up_to_symmetry=True) for spec in ("auto", *best)}
        for spec, outcome in lab.measure(runs, answer).items():
            figure = f"{outcome.cpu_seconds:.3f} s, {outcome.nodes:,} nodes, {outcome.megabytes:.0f} MB"
            his = (f"{seconds:g} s", outcome.cpu_seconds <= seconds) if seconds is not None else ()
            yield Line(f"{name.removeprefix('classic/')} {spec}", figure, *his)


def _beside(ours: int, his: int | None) -> str:
    """A number of ours, and whether it is his.

    >>> _beside(7, 7), _beside(1010, 1000), _beside(7, None)
    ('7 as his', '1,010 (his 1,000, +1.00 %)', '7')
    """
    if his is None:
        return f"{ours:,}"
    return f"{ours:,} as his" if ours == his else f"{ours:,} (his {his:,}, {100 * (ours / his - 1):+.2f} %)"


def six_by_ten(lab: Lab) -> Iterator[Line]:
    """12 pentominoes on 6x10, raw: how many times as fast as xcover."""
    yield from _beside_xcover(lab, ("6x10", *FREE), PLANE, 9356, {"fila": 8.0, "dlx": 1.0}, reflections=True)


def less_2x2(lab: Lab) -> Iterator[Line]:
    """12 pentominoes on 8x8 less the middle, raw: how many times as fast as xcover."""
    specs = {"fila, order s": BOXES, **PLANE}
    yield from _beside_xcover(lab, (LESS_2X2, *FREE), specs, 520, {"fila": 3.0, "fila, order s": 3.0}, reflections=True)


def soma(lab: Lab) -> Iterator[Line]:
    """The Soma cube, raw: how many times as fast as xcover."""
    yield from _beside_xcover(lab, ("3x3x3", *SOMA_TILES), {"fila": BOXES, "dlx": "dlx"}, 11_520, {"fila": 1.0})


def boxes(lab: Lab) -> Iterator[Line]:
    """12 flat pentacubes in 3x4x5, raw: dancing links by cells and tiles, and by cells of the last six pieces."""
    if lab.quick:
        yield Line("left out of --quick", "")
        return
    runs = {name: Run(("5x4x3", *FREE), spec) for name, spec in (("best", BOXES), ("dlx", "dlx"))}
    found = lab.measure(runs, 31_520)
    best, dlx = (found[name].cpu_seconds for name in ("best", "dlx"))
    yield Line("dlx", f"{dlx:.2f} s")
    yield Line(BOXES, f"{best:.2f} s, {best / dlx:.3f} of dlx")


def decide(lab: Lab) -> Iterator[Line]:
    """11x7 with unlimited 4T and at most three 3I: decided at once by every search."""
    runs = {spec: Run(("11x7", "4T", "3:3I"), spec, goal="decide") for spec in DECIDERS}
    for spec, found in lab.measure(runs, 1).items():
        yield Line(spec, f"{found.cpu_seconds:.4f} s", "0.1 s", found.cpu_seconds <= 0.1)


def words(lab: Lab) -> Iterator[Line]:
    """Boards of more than 64 cells: time per fit, against 6x10 on one word."""
    runs = {
        "6x10": Run(("10x6", *FREE), ONE_STEP, reflections=True, nodes=PREFIX),
        "6x10 beside a bar, 71 cells": Run(WITH_BAR, ONE_STEP, reflections=True, nodes=PREFIX),
        "18 one-sided on 5x18, 90 cells": Run(("18x5", *ONE_SIDED), ONE_STEP, nodes=PREFIX),
    }
    found = lab.measure(runs)
    per_fit = {name: outcome.cpu_seconds / max(1, outcome.nodes) for name, outcome in found.items()}
    for name, outcome in found.items():
        ratio = per_fit[name] / per_fit["6x10"]
        tried = (sum(outcome.fits) + sum(outcome.nofits)) / max(1, sum(outcome.fits))
        figure = f"{per_fit[name] * 1e9:.1f} ns a fit, {tried:.2f} attempts"
        yield Line(name, figure) if name == "6x10" else Line(name, f"{figure}, {ratio:.2f}x", "1.6x", ratio <= 1.6)


def start(lab: Lab) -> Iterator[Line]:
    """The whole process of a warm `tiler solve` of a small problem, wall clock."""
    for spec in ("auto", "dlx", "fila", "backtracking"):
        seconds = []
        for _ in range(max(3, lab.repeat)):
            started = time.perf_counter()
            command = [sys.executable, "-m", "tiler", "solve", "11x7", "4T", "3:3I", "--solver", spec]
            subprocess.run(command, check=True, capture_output=True)
            seconds.append(time.perf_counter() - started)
        middle = statistics.median(seconds)
        yield Line(f"tiler solve 11x7 4T 3:3I --solver {spec}", f"{min(seconds):.2f} s (median {middle:.2f})", "0.9 s",
                   min(seconds) <= 0.9)  # fmt: skip


def symmetry(lab: Lab) -> Iterator[Line]:
    """Counting up to symmetry against raw."""
    for spec in (FASTEST_PLANE, "dlx"):
        run = Run(("6x10", *FREE), spec, reflections=True)
        yield from _symmetry(lab, "6x10", run, replace(run, up_to_symmetry=True), (9356, 2339, 4), 0.0)
    if lab.quick:
        yield Line("3x4x5 left out of --quick", "")
    else:
        run = Run(("5x4x3", *FREE), BOXES)
        # A search for every way to lay the anchors has to be set up.
        yield from _symmetry(lab, "3x4x5", run, replace(run, up_to_symmetry=True), (31_520, 3940, 8), 0.25)


def _symmetry(lab: Lab, name: str, run: Run, reduced: Run, expected: tuple[int, int, int], overhead: float) -> Iterator[Line]:
    """`expected`: the tilings, those up to symmetry, the order of the group; `overhead` seconds do not grow with the search."""
    *counts, order = expected
    runs = {"raw": run, "up to symmetry": reduced}
    found = lab.measure(runs)
    lab.wrong += [
        f"{name} {kind}: {found[kind].answer}, not {count}"
        for kind, count in zip(runs, counts, strict=True)
        if found[kind].answer != count
    ]
    whole, part = (found[kind].cpu_seconds for kind in runs)
    figure = f"{part:.2f} s of {whole:.2f} s, {part / whole:.3f}"
    target = f"1/{order} + {overhead} s" if overhead else f"1/{order}"
    yield Line(f"{name} with {reduced.spec}", figure, target, part <= whole / order + overhead)


def checkpoint(lab: Lab) -> Iterator[Line]:
    """What saving every 5 s costs: CPU seconds in it, as a part of the count's."""
    for name, spec in (("6x10 with backtracking", "backtracking"), ("6x10 with dlx:order=first", "dlx:order=first")):
        run = Run(("6x10", *FREE), spec, reflections=True)
        # So that shorter counts are saved as often as long ones, and more.
        seconds = 1.0
        found = lab.measure({"without": run, "with": replace(run, checkpoint=seconds)}, 9356)
        with_, without = found["with"], found["without"]
        share = with_.saving_seconds / with_.cpu_seconds
        figure = f"{share:.2%} in saves (whole: {with_.cpu_seconds:.2f} s, {without.cpu_seconds:.2f} s without)"
        yield Line(f"{name}, every {seconds:.0f} s", figure, "2 %", share <= 0.02)


def memory(lab: Lab) -> Iterator[Line]:
    """The peak of resident memory of each of these processes, the largest five."""
    if not lab.memory:
        lab.measure({"6x10": Run(("6x10", *FREE), FASTEST_PLANE, reflections=True)})
    for name, megabytes in sorted(lab.memory.items(), key=lambda item: -item[1])[:5]:
        yield Line(name, f"{megabytes:.0f} MB", "300 MB", megabytes < 300)


def threads(lab: Lab) -> Iterator[Line]:
    """Wall clock seconds with 1 and 2 threads, by turns; how many times as fast 2 are, beside 2 processes with a loop each."""
    for name, run, known, target in THREADED:
        answers: set[int | None] = set() if known is None else {known}
        best: dict[int, Outcome] = {}
        loops: dict[int, float] = {}
        for _ in range(1 if lab.quick else max(lab.repeat, 5)):
            for number in (1, 2):
                outcome = _run_ours(replace(run, threads=number))
                answers.add(outcome.answer)
                if number not in best or outcome.wall_seconds < best[number].wall_seconds:
                    best[number] = outcome
                loops[number] = min(loops.get(number, float("inf")), _loop_seconds(number))
        if len(answers) > 1:
            lab.wrong.append(f"{name}: {', '.join(sorted(map(str, answers)))}")
        one, two = best[1], best[2]
        ratio = one.wall_seconds / two.wall_seconds
        figure = f"{one.wall_seconds:.3f} s, {two.wall_seconds:.3f} s, {ratio:.2f}x"
        yield Line(name, figure, f"{target:g}x", ratio >= target)
        same = one.nodes == two.nodes
        yield Line("  nodes", f"{one.nodes:,}" if same else f"{one.nodes:,}, {two.nodes:,}", "the same", same)
        yield Line("  two loops", f"{2 * loops[1] / loops[2]:.2f}x")


LOOP = "import time; t = time.perf_counter(); sum(range(20_000_000)); print(time.perf_counter() - t)"


def _loop_seconds(copies: int) -> float:
    """Wall clock seconds for this number of processes that run a loop at the same time."""
    processes = [subprocess.Popen([sys.executable, "-c", LOOP], stdout=subprocess.PIPE, text=True) for _ in range(copies)]
    return max(float(process.communicate()[0]) for process in processes)


PARTS: dict[str, Callable[[Lab], Iterator[Line]]] = {
    "table1": table1,
    "ours": ours,
    "6x10": six_by_ten,
    "8x8-less-2x2": less_2x2,
    "soma": soma,
    "3x4x5": boxes,
    "decide": decide,
    "words": words,
    "start": start,
    "symmetry": symmetry,
    "checkpoint": checkpoint,
    "memory": memory,
    "threads": threads,
}


def _beside_xcover(
    lab: Lab,
    shapes: tuple[str, ...],
    specs: Mapping[str, str],
    answer: int,
    targets: Mapping[str, float],
    *,
    reflections: bool = False,
) -> Iterator[Line]:
    """Seconds of each spec, and how many times as fast as xcover it is."""
    runs = {name: Run(shapes, spec, reflections) for name, spec in specs.items()}
    if lab.has_xcover:
        runs["xcover"] = Run(shapes, None, reflections)
    found = lab.measure(runs, answer)
    peer = found.pop("xcover", None)
    if peer:
        yield Line("xcover 0.2.6", f"{peer.cpu_seconds:.3f} s")
    for name, outcome in found.items():
        label = specs[name] if specs[name] == name else f"{name} ({specs[name]})"
        if peer is None:
            yield Line(label, f"{outcome.cpu_seconds:.3f} s")
            continue
        times = peer.cpu_seconds / outcome.cpu_seconds
        target = targets.get(name)
        wanted = f"{target:g}x" if target else ""
        yield Line(label, f"{outcome.cpu_seconds:.3f} s, {times:.2f}x", wanted, times >= target if target else None)


def _only(found: Mapping[str, Outcome]) -> Outcome:
    (outcome,) = found.values()
    return outcome


# --- runs


def _run_ours(run: Run) -> Outcome:
    command = [sys.executable, __file__, "--run", json.dumps(asdict(run))]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return Outcome(**json.loads(done.stdout))


def _run_xcover(run: Run) -> Outcome:
    from tiler.backends.languages import writing
    from tiler.cover.board import BoardCover

    written = writing.write(writing.WriteRequest("dlx"), BoardCover.of(_instance(run)))
    with tempfile.NamedTemporaryFile("w", suffix=".dlx") as file:
        file.writelines(f"{line}\n" for line in written.files["dlx"])
        file.flush()
        program = (peers.interpreter("xcover"), ROOT / "scripts/count_covers.py", "xcover", file.name, LEAST_SECONDS)
        done = subprocess.run([*map(str, program)], check=True, stdout=subprocess.PIPE, text=True)
    count, seconds = done.stdout.split()
    return Outcome(int(count), float(seconds))


def _instance(run: Run) -> Any:
    from tiler import formats
    from tiler.bench import corpus

    if len(run.shapes) == 1:
        (name,) = run.shapes
        return formats.read(ROOT / name if name.endswith(".txt") else corpus.find_folder() / f"{name}.txt")
    return formats.inline(run.shapes, reflections=run.reflections)


def perform(run: Run) -> Outcome:
    """Make a run in this process, again and again until that adds up to something; the fastest."""
    _perform_once(replace(run, nodes=1))  # Loading compiled code is nobody's solving.
    best: Outcome | None = None
    spent = 0.0
    while best is None or spent < LEAST_SECONDS:
        outcome = _perform_once(run)
        spent += outcome.cpu_seconds
        if best is None or outcome.cpu_seconds < best.cpu_seconds:
            best = outcome
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << (20 if sys.platform == "darwin" else 10))
    return replace(best, megabytes=peak)


def _perform_once(run: Run) -> Outcome:
    from tiler import kernels
    from tiler.ask import execution
    from tiler.ask.checkpoint import Checkpoint
    from tiler.ask.symmetry import orbits
    from tiler.backends.registry import parse_spec
    from tiler.cover.board import BoardCover
    from tiler.question.events import Events, Saved, SearchContext
    from tiler.question.question import Goal, Limits, Question

    assert run.spec is not None
    backend = parse_spec(run.spec)
    backend.preload()
    kernels.load()
    instance = _instance(run)
    cover = BoardCover.of(instance)
    question = Question(Goal(run.goal), Limits(nodes=run.nodes, threads=run.threads), run.up_to_symmetry)
    saving = 0.0
    with tempfile.TemporaryDirectory() as folder:
        saves = run.checkpoint is not None
        kept = Checkpoint.open(Path(folder) / "state", instance, backend, question, seconds=run.checkpoint) if saves else None
        started, clock = time.process_time(), time.perf_counter()
        wanted = SearchContext(saves=saves, begun=clock)
        if run.up_to_symmetry:
            search = orbits.start(backend, cover, question, wanted)
        else:
            search = execution.start(backend, cover, question, wanted)
        with Events(search) as events:
            for event in events:
                if isinstance(event, Saved) and kept is not None:
                    before = time.process_time()
                    if kept.is_due():
                        kept.save(event)
                    saving += time.process_time() - before
        took, wall = time.process_time() - started, time.perf_counter() - clock
    result = events.result
    answer = result.count if question.goal is Goal.COUNT else int(result.status == "sat")
    stats = result.stats
    fits, nofits = (list(stats.get(name, ())) for name in ("fits", "nofits"))
    return Outcome(answer, took, result.nodes, saving_seconds=saving, fits=fits, nofits=nofits, wall_seconds=wall)


# --- the table


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--run", help=argparse.SUPPRESS)
    parser.add_argument("--only", action="append", choices=PARTS, default=[], metavar="PART", help=f"one of {', '.join(PARTS)}")
    parser.add_argument("--quick", action="store_true", help="one repeat, without the long counts")
    parser.add_argument("--repeat", type=int, default=3, help="default: %(default)s")
    parser.add_argument("--no-peers", action="store_true", help="ours alone")
    options = parser.parse_args()
    if options.run:
        wanted = json.loads(options.run)
        print(json.dumps(asdict(perform(Run(**{**wanted, "shapes": tuple(wanted["shapes"])})))))
        return 0
    lab = Lab(1 if options.quick else options.repeat, options.quick, not options.no_peers and _has_xcover())
    missed = 0
    for name in options.only or PARTS:
        part = PARTS[name]
        print(f"\n{name}: {(part.__doc__ or '').strip()}", flush=True)
        for line in part(lab):
            missed += line.met is False
            print(_drawn(line), flush=True)
    print(f"\nCPU seconds, the minimum of {lab.repeat}; targets on the right")
    for text in lab.wrong:
        print(f"WRONG: {text}")
    return 4 if lab.wrong else int(missed > 0)


def _drawn(line: Line) -> str:
    if not line.figure:
        return f"  {line.what}"
    told = "" if line.met is None else "met" if line.met else "MISSED"
    return f"  {line.what[:40]:40} {line.figure:>38} {line.target:>10} {told}".rstrip()


def _has_xcover() -> bool:
    try:
        peers.install("xcover")
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"without xcover: {error}", file=sys.stderr)
        return False
    return True


if __name__ == "__main__":
    sys.exit(main())
