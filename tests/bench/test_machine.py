"""What records say about the machine, from files of a kernel that a test writes, and runs that are bound to cores."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest
from commands import call

from tiler.bench import campaign, environment, machine, measure
from tiler.bench.job import Job, matrix
from tiler.bench.record import decoded
from tiler.bench.stats import Clock
from tiler.bench.store import Store
from tiler.errors import BadOption
from tiler.formats import inline
from tiler.process import isolate
from tiler.question.question import Limits, Question
from tiler.report import report

FILES = {
    "proc/cpuinfo": "processor : 0\nflags : fpu hypervisor sse\n",
    "proc/meminfo": "MemTotal: 4000000 kB\nSwapTotal: 2097152 kB\n",
    "proc/sys/kernel/randomize_va_space": "1\n",
    "sys/class/dmi/id/sys_vendor": "QEMU\n",
    "sys/devices/system/cpu/online": "0-3\n",
    "sys/devices/system/cpu/isolated": "3\n",
    "sys/devices/system/cpu/smt/active": "1\n",
    "sys/devices/system/cpu/intel_pstate/no_turbo": "0\n",
    "sys/devices/system/cpu/cpuidle/current_driver": "intel_idle\n",
    "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor": "powersave\n",
    "sys/devices/system/cpu/cpu0/cpufreq/scaling_driver": "intel_pstate\n",
    "sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_min_freq": "800000\n",
    "sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq": "4200000\n",
    "sys/devices/system/cpu/cpu0/cache/index0/level": "1\n",
    "sys/devices/system/cpu/cpu0/cache/index0/type": "Data\n",
    "sys/devices/system/cpu/cpu0/cache/index0/size": "48K\n",
    "sys/devices/system/cpu/cpu0/cache/index2/level": "2\n",
    "sys/devices/system/cpu/cpu0/cache/index2/type": "Unified\n",
    "sys/devices/system/cpu/cpu0/cache/index2/size": "1280K\n",
    **{f"sys/devices/system/cpu/cpu{core}/topology/thread_siblings_list": f"{core % 2},{core % 2 + 2}\n" for core in range(4)},
    **{f"sys/devices/system/node/node{node}/cpulist": "0\n" for node in range(2)},
}


@pytest.fixture
def kernel(tmp_path: Path) -> Path:
    for name, content in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content)
    return tmp_path


def test_all_that_the_kernel_tells(kernel: Path) -> None:
    about = machine.machine(kernel)
    assert about == {
        "governor": "powersave",
        "frequency_driver": "intel_pstate",
        "idle_driver": "intel_idle",
        "isolated_cores": "3",
        "caches": "L1d 48K, L2 1280K",
        "hypervisor": "QEMU",
        "aslr": "partial",
        "logical_cores": 4,
        "physical_cores": 2,
        "numa_nodes": 2,
        "least_megahertz": 800,
        "most_megahertz": 4200,
        "swap_megabytes": 2048,
        "smt": True,
        "turbo": True,
    }
    assert machine.in_words(about) == (
        "4 logical cores, 2 physical cores, 800 to 4200 MHz, governor powersave, turbo on, SMT on, caches L1d 48K, L2 1280K, "
        "2 NUMA nodes, hypervisor QEMU, 2,048 MiB swap, ASLR partial, isolated cores 3"
    )
    (kernel / "sys/devices/system/cpu/intel_pstate/no_turbo").unlink()
    assert "turbo" not in machine.machine(kernel)
    (kernel / "sys/devices/system/cpu/cpufreq").mkdir()
    (kernel / "sys/devices/system/cpu/cpufreq/boost").write_text("0")
    assert machine.machine(kernel)["turbo"] is False


def test_where_nothing_is_told(tmp_path: Path) -> None:
    assert machine.machine(tmp_path) == {}
    assert machine.in_words({}) == ""


def test_cores_of_runs(kernel: Path) -> None:
    def sets(runs: int, threads: int) -> tuple[tuple[int, ...], ...]:
        return machine.core_sets(runs, threads, kernel, range(4))

    assert sets(1, 1) == ((0,),)
    assert sets(2, 1) == ((0,), (1,))  # 0 and 2 are one core.
    assert sets(4, 1) == ((0,), (1,), (2,), (3,))
    assert sets(2, 2) == ((0, 1), (2, 3))
    with pytest.raises(BadOption, match="--pin: 3 runs at a time with 2 threads take 6 cores, and there are 4"):
        sets(3, 2)


JOB = Job(replace(inline(["4x3", "3L"]), name="small"), campaign.named_specs(["dlx"])[0], Question(limits=Limits(20, 4000)))


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="binds no process to cores")
def test_a_run_is_bound_to_its_cores(tmp_path: Path) -> None:
    core = max(os.sched_getaffinity(0))

    def bound() -> tuple[object, set[int]]:
        return measure.answer(JOB, 0.0, (core,)).on["cores_bound"], os.sched_getaffinity(0)

    assert isolate.run(bound).value == (str(core), {core})
    jobs = matrix([JOB.instance], campaign.named_specs(["dlx", "backtracking"]), JOB.question, repeats=2)
    with Store(tmp_path) as store:
        made = list(campaign.make(jobs, store, pin=True, warm_seconds=0.0))
    assert {each["cores_bound"] for each in made} == {str(min(os.sched_getaffinity(0)))}
    with Store(tmp_path) as store:
        assert next(campaign.make(jobs[:1], store, warm_seconds=0.0))["cores_bound"] is None


def test_a_record_holds_the_machine_and_what_went_on(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        made = next(campaign.make([JOB], store))  # Repeated for 0.2 s.
    assert made["machine"] == machine.machine()
    assert (made["load_during"] or 0.0) >= 0.0
    assert made["load_during"] is not None
    (line,) = (tmp_path / "runs.jsonl").read_bytes().splitlines()
    read = decoded(line)
    assert read is not None
    assert read["machine"] == made["machine"]
    report.write([made], tmp_path, "One run", Clock.SOLVE, report.Plots(("survival",)))
    text = (tmp_path / "report.md").read_text()
    assert "Other processes kept " in text


def test_busy_seconds_grow() -> None:
    before = environment.busy_seconds()
    sum(range(3_000_000))
    after = environment.busy_seconds()
    assert before is not None
    assert after is not None
    assert after >= before > 0


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (["--pin", "--against", "."], "--against lets another copy of Tiler make runs, which --pin does not reach"),
        (["--pin", "--executor", "dask:tcp://x:1"], "--pin binds runs to cores of this machine: leave out --pin or --executor"),
        (["--pin", "--jobs", "999"], "--pin: 999 runs at a time with 1 thread take 999 cores, and there are"),
    ],
)
def test_what_cannot_be_bound(
    options: list[str], text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    asked = ("bench", "--filter", "many-unique/5r-06x10", "--solver", "dlx", "--no-plots", *options)
    status, _, err = call(capsys, *asked)
    assert (status, list(tmp_path.iterdir())) == (2, [])
    assert text in err
