"""Put a count of very many subproblems to a Dask cluster of this machine, and take its workers and its scheduler away meanwhile.

    python scripts/load_dask.py [--pieces 100000] [--kills 4] [--board 8x8]

Two worker processes with two threads each. The count must come out right. Printed, as JSON: seconds; the overhead for each
subproblem by the wall clock (of two cores, less what the calls took), and in CPU seconds, which other work on the machine does
not change: of the client, and, where nothing is killed, of client, scheduler and workers together, less what the calls took; the
largest memory of the client after a quarter of the subproblems and at the end. With `--simulate 64` there is no cluster: what
share of the time so many workers would be busy with calls of so many seconds, given how fast this client hands them out.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import psutil

from tiler import formats
from tiler.ask import planner
from tiler.ask.solve import solve
from tiler.ask.split import parallel
from tiler.ask.split.worker import Searched
from tiler.model.expected import Status
from tiler.process import executors
from tiler.process.executors import Call, Executor
from tiler.process.isolate import Outcome, RunEnd
from tiler.question.events import Progress
from tiler.question.question import Goal, Question
from tiler.question.result import Stop

ROOT = Path(__file__).resolve().parent.parent


class Cluster:
    """A scheduler and two workers as processes."""

    def __init__(self) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{self.port}"
        self._environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "ignore"}
        self.scheduler = self._start("dask_scheduler", "--host", "127.0.0.1", "--port", str(self.port), "--no-dashboard")
        self.workers = [self._worker() for _ in range(2)]

    def _start(self, what: str, *arguments: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", f"distributed.cli.{what}", *arguments]
        quiet = subprocess.DEVNULL
        return subprocess.Popen(command, env=self._environment, stdout=quiet, stderr=quiet, start_new_session=True)

    def _worker(self) -> subprocess.Popen[bytes]:
        return self._start("dask_worker", self.address, "--nthreads", "2", "--no-dashboard", "--death-timeout", "60")

    def kill_worker(self, number: int) -> None:
        """With all that it started, and put another in its place."""
        end(self.workers[number])
        self.workers[number] = self._worker()

    def restart_scheduler(self) -> None:
        """The workers of a scheduler end with it: others come too."""
        end(self.scheduler)
        for worker in self.workers:
            end(worker)
        self.scheduler = self._start("dask_scheduler", "--host", "127.0.0.1", "--port", str(self.port), "--no-dashboard")
        self.workers = [self._worker() for _ in range(2)]

    def cpu_seconds(self) -> float:
        """Of all its processes, and of those that they have waited for."""
        seconds = 0.0
        for process in (*self.workers, self.scheduler):
            for each in (psutil.Process(process.pid), *psutil.Process(process.pid).children(recursive=True)):
                with contextlib.suppress(psutil.NoSuchProcess):
                    seconds += sum(each.cpu_times()[:4])
        return seconds

    def close(self) -> None:
        for process in (*self.workers, self.scheduler):
            end(process)


def end(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and its group."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def megabytes() -> float:
    """The resident memory of this process."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="A count of very many subproblems on a Dask cluster whose processes are killed.")
    parser.add_argument("--pieces", type=int, default=100_000)
    parser.add_argument("--kills", type=int, default=4, help="of workers; the scheduler is killed once, halfway")
    parser.add_argument("--board", default="8x8")
    parser.add_argument("--simulate", type=int, metavar="WORKERS", help="no cluster: how busy so many workers would be")
    parser.add_argument("--call-seconds", type=float, default=1.0, help="with --simulate: how long a call takes")
    options = parser.parse_args(arguments)
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(1))  # So that the cluster ends with us.
    if options.simulate:
        return simulated(options.simulate, options.call_seconds)
    instance = formats.inline([options.board, "2"])
    expected = solve(instance, "frontier", Question(Goal.COUNT)).result.count
    planner._TRIAL_SECONDS = planner._CHOOSING_SECONDS = 0.0
    parallel._PER_SLOT = options.pieces // 4
    cluster = Cluster()
    seen: list[tuple[float, float]] = []
    killed = {"workers": 0, "scheduler": 0}

    def on_tick(now: Progress) -> bool:
        seen.append((now.fraction or 0.0, megabytes()))
        due = int((now.fraction or 0.0) * (options.kills + 2))
        if options.kills and due > killed["workers"] + killed["scheduler"]:
            if killed["scheduler"] == 0 and (now.fraction or 0.0) >= 0.5:
                cluster.restart_scheduler()
                killed["scheduler"] += 1
            elif killed["workers"] < options.kills:
                cluster.kill_worker(killed["workers"] % 2)
                killed["workers"] += 1
        return True

    try:
        time.sleep(5)  # The workers connect.
        began, here, there = time.perf_counter(), time.process_time(), cluster.cpu_seconds()
        answer = solve(instance, "dlx", Question(Goal.COUNT), on_tick=on_tick, executor=f"dask:{cluster.address}")
        wall, here, there = time.perf_counter() - began, time.process_time() - here, cluster.cpu_seconds() - there
    finally:
        cluster.close()
    stats = answer.result.stats
    beside = here + there - stats["cpu_seconds"]
    subproblems = stats["subproblems"]
    told = {
        "right": answer.result.count == expected,
        "subproblems": subproblems,
        "killed": killed,
        "wall_seconds": round(wall, 1),
        "cpu_seconds_of_calls": stats["cpu_seconds"],
        "overhead_milliseconds": round(1000 * (wall - stats["cpu_seconds"] / 2) / subproblems, 3),
        "cpu_milliseconds_of_client": round(1000 * here / subproblems, 3),
        "overhead_cpu_milliseconds": None if options.kills else round(1000 * beside / subproblems, 3),
        "megabytes_at_a_quarter": round(max(size for part, size in seen if part <= 0.25), 1),
        "megabytes_at_the_end": round(max(size for _, size in seen), 1),
    }
    print(json.dumps(told, indent=1))
    return 0 if told["right"] else 1


class Simulated(Executor):
    """Workers that are busy for so many seconds with each call, on a clock of their own: time passes while nobody looks."""

    def __init__(self, workers: int, seconds: float) -> None:
        self._workers, self._seconds = workers, seconds
        self.now = 0.0  #: simulated seconds; what the client takes passes as it does
        self._last = 0.0
        self._ends: dict[Call[list[Searched]], float] = {}
        self.busy = 0.0

    @property
    def slots(self) -> int:
        return self._workers

    def pass_time(self) -> None:
        """What the client took since the last time."""
        now = time.perf_counter()
        self.now += now - self._last if self._last else 0.0  # It begins with the first call.
        self._last = now

    def submit(self, function, *args, seconds=None, megabytes=None):  # type: ignore[no-untyped-def]
        self.pass_time()
        call: Call[list[Searched]] = Call()
        call.numbers = [number for number, _ in args[2]]  # type: ignore[attr-defined]
        self._ends[call] = self.now + self._seconds
        self.busy += self._seconds
        return call

    def wait(self, calls, seconds):  # type: ignore[no-untyped-def]
        self.pass_time()
        ready = min(self._ends[call] for call in calls)
        self.now = max(self.now, min(ready, self.now + seconds))
        for call in [call for call in calls if self._ends[call] <= self.now]:
            found = [Searched(number, 1, Status.SAT, Stop.DONE, 9, {}, "") for number in call.numbers]
            call.result = Outcome(RunEnd.FINISHED, found)
            del self._ends[call]
        self._last = time.perf_counter()

    def close(self) -> None:
        pass


def simulated(workers: int, seconds: float) -> int:
    """How busy workers are kept: only the client's own time is real."""
    instance = formats.inline(["8x8", "2"])
    executor = Simulated(workers, seconds)
    planner._TRIAL_SECONDS = planner._CHOOSING_SECONDS = 0.0
    parallel._PER_SLOT = 400
    executors.connect = lambda where, prepare=None: executor  # type: ignore[assignment]
    answer = solve(instance, "dlx", Question(Goal.COUNT), executor="local:2")
    share = executor.busy / (executor.now * workers)
    told = {
        "workers": workers,
        "subproblems": answer.result.stats["subproblems"],
        "call_seconds": seconds,
        "simulated_seconds": round(executor.now, 2),
        "busy": round(share, 4),
    }
    print(json.dumps(told, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
