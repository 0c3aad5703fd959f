"""Describe the parts of a machine on which seconds depend, as far as Linux tells them in /proc and /sys; no name of a host.

pyperf (`pyperf metadata`, `pyperf system show`) and BenchExec list the same parts. A field that is not known is left out: a
virtual machine often hides the frequency and its governor. py-cpuinfo 9 knows less of it: no governor, turbo, SMT or nodes, and
sums of caches.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tiler.amounts import counted
from tiler.errors import BadOption

if TYPE_CHECKING:
    from tiler.bench.record import RecordedMachine

_CPUS = "sys/devices/system/cpu"
_ASLR = {"0": "off", "1": "partial", "2": "full"}
_CACHE_KINDS = {"Data": "d", "Instruction": "i", "Unified": ""}


def machine(root: Path = Path("/")) -> RecordedMachine:
    """The machine whose files are below `root`."""
    about: RecordedMachine = {}
    cpus = root / _CPUS
    frequency = cpus / "cpu0/cpufreq"
    texts = {
        "governor": _text(frequency / "scaling_governor"),
        "frequency_driver": _text(frequency / "scaling_driver"),
        "idle_driver": _text(cpus / "cpuidle/current_driver"),
        "isolated_cores": _text(cpus / "isolated"),
        "caches": _caches(cpus / "cpu0/cache"),
        "hypervisor": _hypervisor(root),
        "aslr": _ASLR.get(_text(root / "proc/sys/kernel/randomize_va_space"), ""),
    }
    numbers = {
        "logical_cores": _number_of_cores(_text(cpus / "online")),
        "physical_cores": len({siblings for path in cpus.glob("cpu[0-9]*") if (siblings := _siblings(path))}),
        "numa_nodes": len(list((root / "sys/devices/system/node").glob("node[0-9]*"))),
        "least_megahertz": _number(_text(frequency / "cpuinfo_min_freq")) // 1000,
        "most_megahertz": _number(_text(frequency / "cpuinfo_max_freq")) // 1000,
    }
    about.update({name: value for name, value in (*texts.items(), *numbers.items()) if value})  # type: ignore[typeddict-item]
    swap = re.search(r"^SwapTotal:\s*([0-9]+) kB", _text(root / "proc/meminfo"), re.MULTILINE)
    if swap:
        about["swap_megabytes"] = int(swap[1]) // 1024
    if smt := _text(cpus / "smt/active"):
        about["smt"] = smt == "1"
    if no_turbo := _text(cpus / "intel_pstate/no_turbo"):
        about["turbo"] = no_turbo == "0"
    elif boost := _text(cpus / "cpufreq/boost"):
        about["turbo"] = boost == "1"
    return about


def in_words(about: RecordedMachine) -> str:
    """A machine in words, for reports; what is not known is left out.

    >>> in_words({"logical_cores": 8, "physical_cores": 4, "turbo": True, "governor": "powersave", "aslr": "full"})
    '8 logical cores, 4 physical cores, governor powersave, turbo on, ASLR full'
    """

    def switch(name: str, value: bool | None) -> str:
        return "" if value is None else f"{name} {'on' if value else 'off'}"

    def number(name: str, value: int | None, unit: str = "") -> str:
        return "" if value is None else f"{value:,}{unit} {name}{'s' if value != 1 and not unit else ''}"

    def word(name: str, value: str | None) -> str:
        return f"{name} {value}" if value else ""

    frequencies = [str(mhz) for mhz in (about.get("least_megahertz"), about.get("most_megahertz")) if mhz]
    parts = (
        number("logical core", about.get("logical_cores")),
        number("physical core", about.get("physical_cores")),
        f"{' to '.join(frequencies)} MHz" if frequencies else "",
        word("governor", about.get("governor")),
        switch("turbo", about.get("turbo")),
        switch("SMT", about.get("smt")),
        word("caches", about.get("caches")),
        number("NUMA node", about.get("numa_nodes")),
        word("hypervisor", about.get("hypervisor")),
        number("swap", about.get("swap_megabytes"), " MiB"),
        word("ASLR", about.get("aslr")),
        word("isolated cores", about.get("isolated_cores")),
    )
    return ", ".join(filter(None, parts))


def core_sets(runs: int, threads: int, root: Path = Path("/"), there: Sequence[int] | None = None) -> tuple[tuple[int, ...], ...]:
    """Cores for each of some runs at a time, `threads` each, of those that this process may use: one of each physical core first,
    so that two runs share a core only if there are too few. BadOption if there are not enough."""
    if there is None:
        if not hasattr(os, "sched_getaffinity"):
            raise BadOption("--pin: this system does not bind processes to cores")
        there = sorted(os.sched_getaffinity(0))
    if runs * threads > len(there):
        asked = f"{counted(runs, 'run')} at a time with {counted(threads, 'thread')}"
        raise BadOption(f"--pin: {asked} take {counted(runs * threads, 'core')}, and there are {len(there)}")
    seen: dict[str, int] = {}
    turn = {}
    for core in there:
        physical = _siblings(root / _CPUS / f"cpu{core}") or str(core)
        turn[core] = seen[physical] = seen.get(physical, -1) + 1
    ordered = sorted(there, key=lambda core: (turn[core], core))
    return tuple(tuple(ordered[number * threads : (number + 1) * threads]) for number in range(runs))


def _text(path: Path) -> str:
    """The content of a file of the kernel; empty if it cannot be read."""
    try:
        return path.read_text("utf-8", "replace").strip()
    except OSError:
        return ""


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() else 0


def _number_of_cores(text: str) -> int:
    """The number of cores in a list such as `0-3,8`."""
    ends = [part.split("-") for part in text.split(",") if part]
    return sum(_number(each[-1]) - _number(each[0]) + 1 for each in ends)


def _siblings(core: Path) -> str:
    """The logical cores of the physical core of a logical one."""
    return _text(core / "topology/thread_siblings_list")


def _caches(folder: Path) -> str:
    """The caches of a core, the nearest first, such as `L1d 32K`."""
    caches = []
    for path in sorted(folder.glob("index[0-9]*")):
        level, size = _text(path / "level"), _text(path / "size")
        if level and size:
            caches.append(f"L{level}{_CACHE_KINDS.get(_text(path / 'type'), '')} {size}")
    return ", ".join(caches)


def _hypervisor(root: Path) -> str:
    """The kind of the virtual machine, or yes if it does not say; empty on a real one."""
    if not re.search(r"^flags\s*:.*\bhypervisor\b", _text(root / "proc/cpuinfo"), re.MULTILINE):
        return ""
    names = (_text(root / "sys/hypervisor/type"), _text(root / "sys/class/dmi/id/sys_vendor"))
    return next(filter(None, names), "yes")
