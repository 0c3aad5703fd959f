"""Executors: calls come back with their outcomes, within limits, and nothing goes on afterwards; here and on a Dask cluster."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import clusters
import pytest
from processes import lives, wait_until

from tiler.bench import campaign, job, record
from tiler.bench.store import Store
from tiler.errors import BadOption, InputError, TilerError
from tiler.formats import inline
from tiler.process import executors
from tiler.process.isolate import RunEnd
from tiler.question.question import Goal, Limits, Question

LONG = 1000.0


def nap(path: str) -> None:
    """Say who naps, and nap with a child."""
    if os.fork() == 0:
        time.sleep(LONG)
    with open(path, "a") as file:
        file.write(f"{os.getpid()}\n")
    time.sleep(LONG)


def refuse() -> None:
    raise InputError("not like this", "somewhere", 7)


def leave() -> None:
    os._exit(3)


@pytest.mark.parametrize("spec", ["local:0", "local:x", "local", "dask:", "cloud:7", ""])
def test_what_is_no_executor(spec: str) -> None:
    with pytest.raises(BadOption, match=r"is no executor; write local:N"):
        executors.connect(spec)


def meet(folder: str, name: str, others: int) -> int:
    """Come, and leave when as many have come as there are."""
    (Path(folder) / name).touch()
    wait_until(lambda: len(os.listdir(folder)) == others)
    return others


def test_local_calls_side_by_side(tmp_path: Path) -> None:
    with executors.connect("local:3") as executor:
        assert executor.slots == 3
        calls = [executor.submit(meet, str(tmp_path), name, 3) for name in "abc"]
        assert [executor.outcome(call).value for call in calls] == [3, 3, 3]


def test_more_calls_than_slots() -> None:
    with executors.connect("local:2") as executor:
        calls = [executor.submit(divmod, number, 3) for number in range(7)]
        assert [executor.outcome(call).value for call in reversed(calls)] == [divmod(number, 3) for number in reversed(range(7))]


def test_outcomes_and_limits() -> None:
    with executors.connect("local:2") as executor:
        refused, late, gone = executor.submit(refuse), executor.submit(time.sleep, LONG, seconds=0.2), executor.submit(leave)
        assert str(executor.outcome(refused).error) == "somewhere:7: not like this"
        assert executor.outcome(late).ended is RunEnd.TIME
        assert executor.outcome(gone).exit_status == 3


def test_waiting_ends_in_time() -> None:
    with executors.connect("local:1") as executor:
        call = executor.submit(time.sleep, LONG)
        executor.wait([call], 0.2)
        assert not call.is_done


def test_waiting_ends_when_the_first_call_is_done() -> None:
    with executors.connect("local:2") as executor:
        late, soon = executor.submit(time.sleep, LONG), executor.submit(divmod, 7, 2)
        executor.wait([late, soon], LONG)
        assert (late.is_done, soon.is_done) == (False, True)


@pytest.mark.long
def test_closing_ends_what_runs(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    with executors.connect("local:2") as executor:
        for _ in range(4):
            executor.submit(nap, str(pids))
        started = wait_until(lambda: pids.exists() and len(pids.read_text().split()) == 2 and pids.read_text().split())
        assert all(lives(int(pid)) for pid in started)
    assert not any(lives(int(pid)) for pid in started)


def test_prepare_is_called_once() -> None:
    called: list[int] = []
    with executors.connect("local:2", lambda: called.append(1)) as executor:
        for _ in range(3):
            executor.outcome(executor.submit(divmod, 7, 2))
    assert called == [1]


# --- Dask: a scheduler and a worker with two threads, processes of this machine


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    """A cluster of one worker, as the command line names it."""
    with clusters.cluster(__file__, workers=1, threads=2) as (address, _):
        yield f"dask:{address}"


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
def test_dask_calls(cluster: str, tmp_path: Path) -> None:
    with executors.connect(cluster) as executor:
        assert executor.slots == 2
        # The same call twice is two calls.
        calls = [executor.submit(divmod, 7, 2) for _ in range(2)]
        assert [executor.outcome(call).value for call in calls] == [(3, 1)] * 2
        refused, late, gone = executor.submit(refuse), executor.submit(time.sleep, LONG, seconds=0.3), executor.submit(leave)
        assert isinstance(executor.outcome(refused).error, InputError)
        assert executor.outcome(late).ended is RunEnd.TIME
        assert executor.outcome(gone).exit_status == 3
        napping = executor.submit(nap, str(tmp_path / "pids"))
        (pid,) = wait_until(lambda: (tmp_path / "pids").exists() and (tmp_path / "pids").read_text().split())
        assert not napping.is_done
    # Nobody wants it any more.
    wait_until(lambda: not lives(int(pid)))


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
def test_dask_gives_the_same_verdicts(cluster: str, tmp_path: Path) -> None:
    shapes = [["4x4", "2"], ["3x3", "2"], ["6x6", "4T"], ["4x4", "4T"], ["5x6", "3L"]]
    instances = [inline(each) for each in shapes]
    specs = campaign.full_specs(["backtracking", "dlx"])
    jobs = job.matrix(instances, specs, Question(Goal.COUNT, Limits(20.0, 2000)))

    def verdicts(spec: str, folder: Path) -> list[tuple[str, str, int]]:
        with Store(folder) as store:
            list(campaign.make(jobs, store, spec, warm_seconds=0.0))
            records = job.of_jobs(jobs, record.read(folder).records)
        assert len(records) == len(jobs)
        return [(record["instance"], record["status"], record["count"]) for record in records]

    assert verdicts(cluster, tmp_path / "dask") == verdicts("local:2", tmp_path / "local")


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
def test_no_scheduler() -> None:
    pytest.importorskip("distributed", reason="distributed is not installed")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(executors, "_CONNECT_SECONDS", 1)
        with pytest.raises(TilerError, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:1: "):
            executors.connect("dask:tcp://127.0.0.1:1")
