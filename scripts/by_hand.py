"""Measure whole commands, as a user types them, and write the figures on the pages.

    python scripts/by_hand.py                     measure all commands of results/reference/hand/hand.toml again
    python scripts/by_hand.py aztec dominoes      only the figures whose names have one of these words
    python scripts/by_hand.py --list              the figures, and the texts of the pages in which they stand

Each run is a new process: the start of Python, reading, listing, searching, verifying and drawing are in it. Of the repeats the
one with the least CPU seconds counts. A figure of several commands is their sum. hand.jsonl has a line for each figure: the
command, the date, the commit, the machine, its load average, seconds by the wall clock and of CPU, the seconds of the search
alone as `--stats` prints them, and the largest memory. The load average is that of the minute before the first run of a figure:
on an idle machine it is about 1, since the figure measured before ran in that minute. A text in hand.toml says where a figure
stands on a page; the script replaces the old figure there, and a test compares pages and records. Measure on an idle machine.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tiler.bench import corpus  # noqa: E402
from tiler.bench.environment import environment  # noqa: E402

FIGURES = ROOT / "results/reference/hand/hand.toml"
RECORDS = ROOT / "results/reference/hand/hand.jsonl"
_UNITS = {"min": 60.0, "s": 1.0, "ms": 1e-3, "µs": 1e-6, "ns": 1e-9}


@dataclass(frozen=True)
class Figure:
    """A figure of hand.toml: what is measured, and the page and the texts in which it stands. In a command `{problem}` stands for
    each problem with the tag `each`. In a text `{wall}`, `{cpu}`, `{search}`,
    `{load}` and `{peak}` are replaced."""

    name: str
    command: str
    page: str
    says: tuple[str, ...]
    repeat: int = 3
    each: str = ""

    def commands(self) -> list[str]:
        """The commands that are measured."""
        if not self.each:
            return [self.command]
        problems = corpus.select(ROOT / "problems", tags=(self.each,))
        return [self.command.format(problem=problem.name) for problem in problems]

    def texts(self, record: dict[str, Any]) -> Iterator[tuple[re.Pattern[str], str]]:
        """What its page says, with the numbers of a record; and a pattern that finds it there with any numbers, however the lines
        are broken."""
        values = {
            "wall": seconds(record["wall_seconds"]),
            "cpu": seconds(record["cpu_seconds"]),
            "search": seconds(record["search_seconds"]),
            "load": f"{record['load']:.1f}",
            "peak": f"{round(record['peak_megabytes'], -1):,.0f}",
        }
        for text in self.says:
            words = re.escape(text.format(**dict.fromkeys(values, "#"))).replace(r"\#", r"(?:\d[\d.,]*\d|\d)").split(r"\ ")
            yield re.compile(r"\s+".join(words)), text.format(**values)


def seconds(value: float) -> str:
    """Seconds as the pages say them.

    >>> seconds(0.0234), seconds(2.64), seconds(39.7)
    ('0.02', '2.6', '40')
    """
    return f"{value:.0f}" if value >= 9.95 else f"{value:.1f}" if value >= 0.95 else f"{value:.2f}"


def figures() -> list[Figure]:
    """All figures, in the order of the file."""
    tables = tomllib.loads(FIGURES.read_text())["figure"]
    return [Figure(**{**table, "says": tuple(table["says"])}) for table in tables]


def records() -> dict[str, dict[str, Any]]:
    """The records by the names of their figures."""
    lines = RECORDS.read_text().splitlines() if RECORDS.exists() else []
    return {record["name"]: record for record in map(json.loads, lines)}


def run(command: str, folder: str, stats: bool = True) -> dict[str, Any]:
    """Run a command once, as a process of its own, in a folder where it may write; `stats`: it says how long its search was."""
    arguments = [sys.executable, "-m", "tiler", *shlex.split(command)[1:], *(["--stats"] if stats else [])]
    settings = {**os.environ, "PYTHONPATH": str(ROOT)}
    begin = time.perf_counter()
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen(arguments, cwd=folder, stdout=out, stderr=err, env=settings)
        _, status, used = os.wait4(process.pid, 0)
        wall = time.perf_counter() - begin
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        printed, said = out.read().decode(), err.read().decode()
    if process.returncode:
        sys.exit(f"by_hand: {command}: exit status {process.returncode}\n{said}")
    search = re.search(r"^solve +([\d.,]+) (\S+)$", said, re.M)
    return {
        "wall_seconds": wall,
        "cpu_seconds": used.ru_utime + used.ru_stime,
        "search_seconds": float(search[1].replace(",", "")) * _UNITS[search[2]] if search else 0.0,
        "peak_megabytes": used.ru_maxrss / 1024,
        "answer": printed.strip().splitlines()[-1][:60] if printed.strip() else "",
    }


def measure(figure: Figure) -> dict[str, Any]:
    """Measure a figure; the record of it."""
    load = os.getloadavg()[0]
    stats = any("{search}" in text for text in figure.says)
    runs = []
    with tempfile.TemporaryDirectory() as folder:
        for command in figure.commands():
            repeats = [run(command, folder, stats) for _ in range(figure.repeat)]
            runs.append(min(repeats, key=lambda each: float(each["cpu_seconds"])))
    machine = environment()
    return {
        "name": figure.name,
        "command": figure.command,
        "runs": len(runs),
        "repeats": figure.repeat,
        "date": time.strftime("%Y-%m-%d", time.gmtime()),
        "commit": machine["commit"],
        "cpu": machine["cpu"],
        "cores": machine["cores"],
        "load": round(load, 2),
        **{key: round(sum(each[key] for each in runs), 3) for key in ("wall_seconds", "cpu_seconds", "search_seconds")},
        "peak_megabytes": round(max(each["peak_megabytes"] for each in runs)),
        "answer": runs[0]["answer"] if len(runs) == 1 else "",
    }


def write(figure: Figure, record: dict[str, Any]) -> None:
    """Keep a record, and write the figure on its page."""
    kept = {**records(), figure.name: record}
    ordered = [kept[each.name] for each in figures() if each.name in kept]
    RECORDS.write_text("".join(json.dumps(each, ensure_ascii=False) + "\n" for each in ordered))
    page = ROOT / figure.page
    text = page.read_text()
    for pattern, now in figure.texts(record):
        found = pattern.findall(text)
        if len(found) != 1:
            print(f"{figure.page} says this {len(found)} times, not once: {now}")
        elif found[0].split() != now.split():
            text = text.replace(found[0], now)
    page.write_text(text)


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure whole commands, and write the figures on the pages.")
    parser.add_argument("words", nargs="*", metavar="WORD", help="measure only figures whose names have one of these words")
    parser.add_argument("--list", action="store_true", help="list the figures, and measure nothing")
    args = parser.parse_args()
    known = records()
    for figure in figures():
        if args.words and not any(word in figure.name for word in args.words):
            continue
        old = known.get(figure.name)
        if args.list:
            print(figure.name, figure.command, *((now for _, now in figure.texts(old)) if old else figure.says), sep="\n    ")
            continue
        new = measure(figure)
        parts = (f"{new[key]:.2f} s {word}" for key, word in (("wall_seconds", "wall"), ("cpu_seconds", "CPU")))
        print(f"{figure.name}: {', '.join(parts)}, {new['peak_megabytes']} MB, load {new['load']}")
        write(figure, new)


if __name__ == "__main__":
    main()
