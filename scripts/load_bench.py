"""A campaign of very many runs: how much memory the harness takes, and how long it takes to see that all runs are made.

    python scripts/load_bench.py [--runs 20000]

The solvers are stand-ins: their runs are made in this process, on boards of a few cells, so that all that is measured is the
harness. Printed on stderr, as JSON: seconds, milliseconds of the harness for each run, memory after a quarter of the runs and at
the last one, and seconds, CPU seconds and memory of the same command called again, which says that nothing is left to do.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from itertools import permutations
from pathlib import Path
from typing import Any

from tiler.cli.main import main as tiler
from tiler.process import executors
from tiler.process.executors import Call, Executor
from tiler.process.isolate import Outcome, RunEnd

_PROBLEMS, _REPEATS = 100, 20
_FILTERS = ("dead", "volume", "parity", "probe")
_MEASURED: dict[str, Any] = {"wall_seconds": 0.01, "cpu_seconds": 0.01, "peak_megabytes": 50.0, "baseline_megabytes": 40.0}


class StandIn(Executor):
    """Makes the first run of each job here, and says the same of its repeats; looks at the memory of the harness."""

    def __init__(self) -> None:
        self.megabytes: list[float] = []
        self._known: dict[Any, Any] = {}

    @property
    def slots(self) -> int:
        return 2

    def submit(self, function: Any, *args: Any, seconds: float | None = None, megabytes: float | None = None) -> Call[Any]:
        job, call = args[0], Call[Any]()
        key = job.instance.digest, job.solver
        if key not in self._known:
            self._known[key] = function(job, 0.0)
        call.result = Outcome(RunEnd.FINISHED, self._known[key], **_MEASURED)
        self.megabytes.append(resident())
        return call

    def wait(self, calls: Any, seconds: float) -> None:
        pass

    def close(self) -> None:
        pass


def resident() -> float:
    """MiB of this process."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="A campaign of very many runs by stand-ins for solvers.")
    parser.add_argument("--runs", type=int, default=20_000)
    options = parser.parse_args(arguments)
    solvers = max(1, options.runs // (_PROBLEMS * _REPEATS))
    root = Path(__file__).resolve().parent.parent
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "problems/few").mkdir(parents=True)
        for number in range(_PROBLEMS):
            text = f"# tags: few\n{2 + number % 10}x{2 + number // 10}\n\n2\n\n1\n"
            (folder / f"problems/few/{number:03}_s.txt").write_text(text)
        # Some solvers of different specs, whose searches are as short as can be.
        words = [f"backtracking:filter={'+'.join(each)}" for n in range(1, 5) for each in permutations(_FILTERS, n)]
        command = ["bench", "--problems", "problems", "--tag", "few", "--repeat", str(_REPEATS), "--no-plots", "-o", "out"]
        command += [word for spec in words[:solvers] for word in ("--solver", spec)]
        os.chdir(folder)
        stand_in = StandIn()
        executors.connect = lambda *how, **more: stand_in
        began = time.perf_counter()
        status = tiler(command)
        took = time.perf_counter() - began
        runs = len(stand_in.megabytes)
        again = [sys.executable, "-m", "tiler", *command]
        began = time.perf_counter()
        subprocess.run(again, check=False, env={**os.environ, "PYTHONPATH": str(root)}, capture_output=True)
        resumed = time.perf_counter() - began
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        os.chdir(root)
    told = {
        "status": status,
        "runs": runs,
        "seconds": round(took, 1),
        "milliseconds_each": round(1000 * took / max(1, runs), 2),
        "megabytes_at_a_quarter": round(max(stand_in.megabytes[: runs // 4]), 1),
        "megabytes_at_the_end": round(max(stand_in.megabytes), 1),
        "seconds_to_resume": round(resumed, 2),
        "cpu_seconds_to_resume": round(usage.ru_utime + usage.ru_stime, 2),
        "megabytes_to_resume": round(usage.ru_maxrss / 1024, 1),
    }
    print(json.dumps(told, indent=1), file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main())
