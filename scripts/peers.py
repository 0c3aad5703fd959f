"""Other people's solvers beside ours: the same jobs, one after the other, in one run.

    python scripts/peers.py                          a few jobs, deciding and counting, and a table of ratios
    python scripts/peers.py --filter 4L --solver dlx --solver fila --rounds 5
    python scripts/peers.py --goal count --time-limit 60s --filter classic/soma
    python scripts/peers.py --install                 only make the environments, those of campaigns included

The peers are xcover (Numba), exact-cover (C), pyxcc (Rust) and polyomino (which drives exact-cover and does its own modelling),
from PyPI, each in a virtual environment of its own with the numpy it needs; they are installed the first time. Each is a process
that stays up, so that loading and compiling is not measured; jobs are interleaved, so that a machine that slows down does so for
all. Exit status 4 if two answers differ.

The campaigns results/reference/peers-*.toml ask whole programs instead, as `[[solver]]` tables. What of these comes from PyPI is
in the same environments; what comes from Debian their first lines name.

For other scripts: `install`, `able` and `measure`. This file, run as `peers.py --serve NAME` by an environment's own interpreter,
is the process that measures; so it imports nothing of Tiler at the top.
"""

from __future__ import annotations

import argparse
import atexit
import json
import select
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tiler.bench.job import Job

ROOT = Path(__file__).resolve().parent.parent
SHORT_SECONDS = 0.2  # what is over sooner is repeated until it adds up to this
JOBS = {
    "decide": ("many-unique/5r-06x10_s", "many-unique/5r-diamond_u", "4L/10x10_u", "2/corners-08x08_u", "3I/05x21_s"),
    "count": ("classic/pentominoes-03x20_s", "classic/pentominoes-08x08-hole_s", "classic/soma_s", "classic/dominoes-06x06_s"),
}


@dataclass(frozen=True)
class Peer:
    """A package: what pip installs for it, and what it can be asked."""

    requirements: tuple[str, ...]
    goals: tuple[str, ...]
    knows_colours: bool = False


PEERS = {
    "xcover": Peer(("xcover==0.2.6", "numba==0.68.1", "numpy==2.4.6"), ("decide", "count"), knows_colours=True),
    "exact-cover": Peer(("exact-cover==1.5.0", "numpy==2.4.6"), ("decide", "count")),
    "pyxcc": Peer(("pyxcc==0.1.1",), ("decide", "count"), knows_colours=True),
    # It wants an exact-cover that was compiled against numpy 1.
    "polyomino": Peer(("polyomino==0.7.1", "exact-cover==1.3.0", "numpy==1.26.4"), ("decide",)),
}

#: What campaigns ask by scripts/count_models.py, scripts/count_covers.py and scripts/maxsat.py, in environments too.
PROGRAMS = {
    "counters": ("pyganak==2.8.0", "d4Solver==1.0.0", "tididi-cnf==0.1.2"),
    "graphillion": ("graphillion==2.1",),
    "maxsat": ("hermax==1.2.10", "python-sat==1.9.dev17"),
}


@dataclass(frozen=True)
class Measured:
    """An answer: whether there is a tiling, or how many; None if there is none in time or it failed, and then why.

    `seconds` is the median of so many runs, wall clock, and `cpu_seconds` the least: the search alone for xcover and exact-cover,
    modelling included for polyomino.
    """

    answer: int | None
    seconds: float | None = None
    runs: int = 0
    problem: str = ""
    cpu_seconds: float | None = None


@dataclass
class _Server:
    """The process of a peer, started when it is first needed and anew after it was killed."""

    name: str
    process: subprocess.Popen[bytes] | None = field(default=None)

    def ask(self, task: dict[str, Any], seconds: float) -> Measured:
        if self.process is None or self.process.poll() is not None:
            command = [str(interpreter(self.name)), __file__, "--serve", self.name]
            pipe = subprocess.PIPE
            self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL)
            atexit.register(self.stop)
            self.ask(WARM_UP, 120)
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        try:
            self.process.stdin.write(json.dumps(task).encode() + b"\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            self.stop()
            return Measured(None, problem="died")
        if not select.select([self.process.stdout], [], [], seconds)[0]:
            self.stop()
            return Measured(None, problem="time")
        line = self.process.stdout.readline()
        if not line:
            self.stop()
            return Measured(None, problem="died")
        return Measured(**json.loads(line))

    def stop(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None


_servers: dict[str, _Server] = {}
WARM_UP: dict[str, Any] = {
    "goal": "decide",
    "options": [[0, 1], [2, 3], [0, 2], [1, 3]],
    "marks": [],
    "cells": 4,
    "tiles": [],
    "board": [[0, 0], [0, 1], [1, 0], [1, 1]],
    "pieces": [[[[0, 0], [0, 1]], None]],
    "reflections": False,
}


# --- for other scripts


def interpreter(name: str) -> Path:
    """The Python of a peer's environment, which `install` makes."""
    return ROOT / ".venv/peers" / name / "bin/python"


def install(*names: str) -> None:
    """Make the environments of some peers and programs (of all, if none is named) that are not there yet."""
    for name in names or (*PEERS, *PROGRAMS):
        python = interpreter(name)
        stamp = python.parent.parent / "stamp"
        requirements = PROGRAMS[name] if name in PROGRAMS else PEERS[name].requirements
        wanted = "\n".join(requirements)
        if stamp.exists() and stamp.read_text() == wanted:
            continue
        print(f"installing {name} into {python.parent.parent}", file=sys.stderr)
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(python.parent.parent)], check=True)
        # All of its requirements at once would not resolve: polyomino names an exact-cover of its own.
        for requirement in requirements:
            subprocess.run([str(python), "-m", "pip", "install", "--quiet", requirement], check=True)
        stamp.write_text(wanted)


def able(name: str, job: Job) -> bool:
    """Whether a peer can be asked: all know tiles used exactly once or as often as wanted, some of them marks, polyomino only
    the plane."""
    tiles = job.instance.distinct_tiles
    total = sum((tile.at_most or 0) * tile.size for tile in tiles)
    exact = all(tile.at_most is not None for tile in tiles) and total == len(job.instance.board)
    unlimited = all(tile.at_most is None and tile.at_least == 0 for tile in tiles)
    if job.question.goal not in PEERS[name].goals or job.instance.optional or not (exact or unlimited):
        return False
    if job.instance.is_painted and not PEERS[name].knows_colours:
        return False
    if name == "polyomino":
        return job.instance.dimension == 2
    return unlimited or all(tile.at_most == 1 for tile in tiles)


def measure(name: str, job: Job, seconds: float | None = None) -> Measured:
    """A peer's answer to a job within the job's time limit, or so many seconds."""
    if not able(name, job):
        return Measured(None, problem="cannot")
    limit = seconds if seconds is not None else job.question.limits.seconds or 3600.0
    server = _servers.setdefault(name, _Server(name))
    return server.ask(_task(job), limit + 2 * SHORT_SECONDS)


def _task(job: Job) -> dict[str, Any]:
    """The job as plain lists: the options over the cells and the tiles that are used once, for each the sides that it marks and
    their marks, and the board and its tiles."""
    from tiler.cover.board import BoardCover

    cover = BoardCover.of(job.instance)
    once = [number for number, tile in enumerate(cover.tiles) if tile.at_most is not None]
    column = {tile: len(cover.cells) + rank for rank, tile in enumerate(once)}
    options = [
        cells + ([column[tile]] if tile in column else [])
        for cells, tile in zip(cover.members.lists(), cover.tile.tolist(), strict=True)
    ]
    return {
        "goal": job.question.goal,
        "options": options,
        "marks": []
        if cover.coloured is None
        else [[list(map(int, both)) for both in cover.coloured.of_option(o)] for o in range(len(cover))],
        "cells": len(cover.cells),
        "tiles": sorted(column.values()),
        "board": sorted(job.instance.board),
        "pieces": [[sorted(tile.shape), tile.at_most] for tile in job.instance.distinct_tiles],
        "reflections": job.instance.reflections,
    }


def measure_ours(job: Job) -> Measured:
    """Our own answer, in a process of its own, repeated as the peers are; the search alone, without listing the placements."""
    from tiler.bench import campaign
    from tiler.bench.store import Store
    from tiler.question.question import Goal

    with tempfile.TemporaryDirectory() as folder, Store(Path(folder)) as store:
        record = next(campaign.make([job], store, warm_seconds=SHORT_SECONDS))
    decided = record["status"] in ("sat", "unsat")
    answer = record["count"] if job.question.goal is Goal.COUNT else int(record["status"] == "sat") if decided else None
    if answer is None:
        return Measured(None, problem=record["error"] or record["stop"])
    return Measured(answer, record["solve_seconds"], (record["warm"] or {"runs": 1})["runs"])


# --- in a peer's environment


def serve(name: str) -> None:
    """Answer tasks, one per line, until there are no more."""
    prepare = _SOLVERS[name]
    for line in sys.stdin:
        task = json.loads(line)
        try:
            solve = prepare(task)
            seconds: list[float] = []
            cpu: list[float] = []
            answer = 0
            while sum(seconds) < SHORT_SECONDS and len(seconds) < 1000:
                started, cpu_started = time.perf_counter(), time.process_time()
                answer = solve()
                seconds.append(time.perf_counter() - started)
                cpu.append(time.process_time() - cpu_started)
            result = Measured(answer, statistics.median(seconds), len(seconds), cpu_seconds=min(cpu))
        except Exception as error:  # What another program does wrong is a result.
            result = Measured(None, problem=f"{type(error).__name__}: {error}")
        print(json.dumps(result.__dict__), flush=True)


def _xcover(task: dict[str, Any]) -> Callable[[], int]:
    from xcover import covers

    options, known = task["options"], {}
    if task["marks"]:
        marks = [[f"s{side}:{mark}" for side, mark in given] for given in task["marks"]]
        options = [[str(item) for item in option] + given for option, given in zip(options, marks, strict=True)]
        primary = [str(item) for item in range(task["cells"] + len(task["tiles"]))]
        secondary = sorted({f"s{side}" for given in task["marks"] for side, _ in given})
        known = {"primary": primary, "secondary": secondary, "colored": True}
    if task["goal"] == "decide":
        return lambda: int(next(covers(options, **known), None) is not None)
    return lambda: sum(1 for _ in covers(options, **known))


def _exact_cover(task: dict[str, Any]) -> Callable[[], int]:
    import numpy as np
    from exact_cover import get_exact_cover, get_solution_count
    from exact_cover.error import NoSolution

    matrix = np.zeros((len(task["options"]), task["cells"] + len(task["tiles"])), np.int32)
    for row, option in enumerate(task["options"]):
        matrix[row, option] = 1

    def decide() -> int:
        try:
            return int(len(get_exact_cover(matrix)) > 0)
        except NoSolution:
            return 0

    return decide if task["goal"] == "decide" else lambda: int(get_solution_count(matrix))


def _pyxcc(task: dict[str, Any]) -> Callable[[], int]:
    import pyxcc

    items = [str(item) for item in range(task["cells"] + len(task["tiles"]))]
    marks = [[(f"s{side}", str(mark)) for side, mark in given] for given in task["marks"]] or [[] for _ in task["options"]]
    both = enumerate(zip(task["options"], marks, strict=True))
    options = [pyxcc.Option(str(n), [str(item) for item in option], given) for n, (option, given) in both]
    problem = pyxcc.Problem(items, sorted({side for given in marks for side, _ in given}), options)
    if not set(items) <= {item for option in task["options"] for item in map(str, option)}:
        return lambda: 0  # It wants an option for every item.
    decides = task["goal"] == "decide"
    return lambda: int(pyxcc.solve(problem, not decides).count())


def _polyomino(task: dict[str, Any]) -> Callable[[], int]:
    from polyomino.board import Irregular
    from polyomino.error import CantPlaceSinglePiece, CoverWithWrongModulus, CoverWithWrongSize
    from polyomino.tileset import Tileset

    board = [tuple(cell) for cell in task["board"]]
    pieces = [([tuple(cell) for cell in shape], copies) for shape, copies in task["pieces"]]
    mandatory = [shape for shape, copies in pieces if copies is not None for _ in range(copies)]
    filler = [shape for shape, copies in pieces if copies is None]

    def decide() -> int:
        try:
            return int(Irregular(board).tile_with_set(Tileset(mandatory, [], filler, task["reflections"])).solve() is not None)
        except (CantPlaceSinglePiece, CoverWithWrongModulus, CoverWithWrongSize):
            return 0

    return decide


_SOLVERS: dict[str, Callable[[dict[str, Any]], Callable[[], int]]] = {
    "xcover": _xcover,
    "exact-cover": _exact_cover,
    "pyxcc": _pyxcc,
    "polyomino": _polyomino,
}


# --- the table


def compare(jobs: list[Job], names: list[str], rounds: int) -> Iterator[tuple[Job, list[Measured]]]:
    """For each job what each of the peers made of it, the first of `names` being ours: the median of the rounds."""
    found: dict[tuple[Hashable, str], list[Measured]] = {}
    for _ in range(rounds):
        for job in jobs:
            for name in names:
                kept = found.setdefault((job.key, name), [])
                if not kept or kept[-1].answer is not None:  # What was too slow once is not asked again.
                    kept.append(measure_ours(job) if name not in PEERS else measure(name, job))
    for job in jobs:
        yield job, [_middle(found[job.key, name]) for name in names]


def _middle(several: list[Measured]) -> Measured:
    done = sorted((one for one in several if one.answer is not None), key=lambda one: one.seconds or 0.0)
    if not done or len({one.answer for one in done}) > 1:
        return several[-1] if not done else Measured(None, problem="answers differ")
    return done[(len(done) - 1) // 2]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--serve", choices=PEERS, help=argparse.SUPPRESS)
    parser.add_argument("--install", action="store_true", help="only make the environments that are not there yet")
    parser.add_argument("--filter", action="append", default=[], help="problems, as in tiler bench")
    parser.add_argument(
        "--solver", action="append", default=[], help="ours, the first is what the ratios refer to (default: dlx)"
    )
    parser.add_argument("--peer", action="append", choices=PEERS, default=[], help="default: all")
    parser.add_argument("--goal", choices=("decide", "count"), action="append", default=[], help="default: both")
    parser.add_argument("--time-limit", default="20s")
    parser.add_argument("--rounds", type=int, default=3, help="default: %(default)s")
    options = parser.parse_args()
    if options.serve:
        serve(options.serve)
        return 0
    if options.install:
        install()
        return 0
    return _run(options)


def _run(options: argparse.Namespace) -> int:
    from tiler.bench import corpus
    from tiler.bench.campaign import full_specs
    from tiler.bench.job import Job
    from tiler.question.quantities import seconds
    from tiler.question.question import Goal, Limits, Question

    peers = options.peer or list(PEERS)
    install(*peers)
    folder = corpus.find_folder()
    status = 0
    for goal in options.goal or ("decide", "count"):
        chosen = options.filter or JOBS[goal]
        question = Question(Goal(goal), Limits(seconds(options.time_limit)))
        for spec in full_specs(options.solver or ["dlx"], Goal(goal)):
            jobs = [Job(instance, spec, question) for instance in corpus.select(folder, chosen)]
            ours = spec.partition(":")[0]
            print(f"\n{goal}: seconds of the search, and how many times those of {ours}\n")
            print(f"{'':38}{ours:>12}" + "".join(f"{name:>22}" for name in peers))
            for job, results in compare(jobs, ["ours", *peers], options.rounds):
                answers = {result.answer for result in results if result.answer is not None}
                told = "  DIFFERENT ANSWERS: " + ", ".join(map(str, answers)) if len(answers) > 1 else ""
                status = 4 if told else status
                print(f"{job.instance.name:38}{_first(results[0])}{''.join(_cell(r, results[0]) for r in results[1:])}{told}")
    print(f"\nmedian of {options.rounds} rounds; polyomino with its own modelling; -: cannot express it; else why there is none")
    return status


def _first(result: Measured) -> str:
    return f"{result.problem[:10]:>12}" if result.seconds is None else f"{result.seconds:12.6f}"


def _cell(result: Measured, ours: Measured) -> str:
    if result.seconds is None:
        return f"{'-' if result.problem == 'cannot' else result.problem[:20]:>22}"
    ratio = f"({result.seconds / ours.seconds:,.1f}x)" if ours.seconds else ""
    return f"{result.seconds:12.6f}{ratio:>10}"


if __name__ == "__main__":
    sys.exit(main())
