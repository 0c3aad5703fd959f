"""Run the tests on each mutant of a list, and say which ones they find.

    python scripts/mutants/run.py -o mutants.jsonl
    python scripts/mutants/run.py -o mutants.jsonl --seconds 60 --jobs 2

Each mutant is made in a copy of the tracked files. The tests whose imports reach the changed file run on it, the nearest first,
those of the first stage before the others, until one fails that passes without the mistake. `--seconds` bounds them by what
they took when they were measured; a mutant that survives them may still be found by others.

Results are added to the file, and a run that was stopped goes on behind them. A mutant that has `equal` in the list, with a
reason, behaves like the program; it is not run.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from draw import ROOT, Mutant

LIST = Path(__file__).with_name("list.jsonl")
FIRST, SECOND, SURVIVED, GONE = "first stage", "second stage", "survived", "gone"
_SLOWER, _MOST_KILOBYTES = 5, 8_000_000  # a run of pytest may take 5 times the seconds of its tests: a mutant may never end
_NO_TESTS = 5  # exit status of pytest


def copy(to: Path) -> None:
    """The tracked files as they are now."""
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    for name in filter(None, names.split("\0")):
        if (ROOT / name).is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, to / name)


def reaching(file: str, seconds: float) -> list[str]:
    """The tests that reach a file, the nearest first."""
    command = [sys.executable, "tests/changed.py", file, "--seconds", str(seconds)]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    return done.stdout.split()


def end_of(mutant: Mutant, where: Path, seconds: float) -> tuple[str, str]:
    """What becomes of a mutant, and which test says so."""
    path = where / mutant.file
    own = path.read_text()
    changed = mutant.applied(own)
    if changed is None:
        return GONE, ""
    tests, wrong_anyway = reaching(mutant.file, seconds), list[str]()
    for stage, found in (("first", FIRST), ("rest", SECOND)):
        while True:
            path.write_text(changed)
            try:
                failed = _failed(where, tests, stage, seconds, wrong_anyway)
            finally:
                path.write_text(own)
            if not failed:
                break
            if "::" not in failed or not _failed(where, [failed], stage, seconds):
                return found, failed
            wrong_anyway.append(failed)
    return SURVIVED, ""


def _failed(where: Path, tests: Sequence[str], stage: str, seconds: float, left_out: Sequence[str] = ()) -> str:
    """The first test that fails; nothing if all pass. The tests were measured to take at most these seconds."""
    pytest = [sys.executable, "-m", "pytest", "-q", "-x", "-n0", "--stage", stage, "--tb=no", "-p", "no:cacheprovider"]
    command = [*pytest, *tests, *(f"--deselect={test}" for test in left_out)]
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    environment = {**kept, "PYTHONPATH": str(where), "XDG_CACHE_HOME": str(where / ".cache"), "TILER_INSTALLER": ""}
    limited = ["sh", "-c", f'ulimit -d {_MOST_KILOBYTES}; exec "$@"', "sh", *command]
    with subprocess.Popen(
        limited, cwd=where, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, start_new_session=True
    ) as running:
        try:
            out, _ = running.communicate(timeout=_SLOWER * seconds)
        except subprocess.TimeoutExpired:
            return "it never ended"
        finally:
            with suppress(ProcessLookupError):
                os.killpg(running.pid, signal.SIGKILL)
    lines = [line for line in out.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return (
        lines[0].partition(" ")[2].partition(" - ")[0]
        if lines
        else ("" if running.returncode in (0, _NO_TESTS) else f"it ended with {running.returncode}")
    )


def table(ends: dict[str, str]) -> str:
    """How many mutants of each folder each stage finds; `ends` has an end for each mutant, by its file and place."""
    folders: dict[str, Counter[str]] = {}
    for name, end in ends.items():
        folders.setdefault(name.split("/")[1], Counter())[end] += 1
    rows = [*folders.items(), ("all", sum(folders.values(), Counter()))]
    heads = "", "mutants", "./scripts/test", "--all", "survived", "gone"
    lines = [(name, each.total(), each[FIRST], each[FIRST] + each[SECOND], each[SURVIVED], each[GONE]) for name, each in rows]
    return "\n".join("{:12}{:>9}{:>16}{:>7}{:>10}{:>6}".format(*line) for line in (heads, *lines))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", type=Path, required=True, help="results, one line of JSON a mutant")
    parser.add_argument("--list", type=Path, default=LIST, help="default: the list beside this script")
    parser.add_argument("--seconds", type=float, default=120.0, help="of the nearest tests of both stages (default: 120)")
    parser.add_argument("--jobs", type=int, default=2, help="mutants at a time (default: 2)")
    options = parser.parse_args()
    entries = [json.loads(line) for line in options.list.read_text().splitlines()]
    known = [json.loads(line) for line in options.output.read_text().splitlines()] if options.output.exists() else []
    ends = {each["mutant"]: each["end"] for each in known}
    with tempfile.TemporaryDirectory() as folder:
        places: SimpleQueue[Path] = SimpleQueue()
        for number in range(options.jobs):
            places.put(_prepared(Path(folder) / str(number)))

        def run(entry: dict[str, Any]) -> dict[str, str]:
            mutant, where = Mutant(*(entry[name] for name in ("file", "line", "was", "becomes"))), places.get()
            try:
                end, by = end_of(mutant, where, options.seconds)
            finally:
                places.put(where)
            return {"mutant": _name(entry), "end": end, "by": by}

        left = [entry for entry in entries if "equal" not in entry and _name(entry) not in ends]
        with ThreadPoolExecutor(options.jobs) as pool, options.output.open("a") as output:
            for done in as_completed([pool.submit(run, entry) for entry in left]):
                result = done.result()
                output.write(json.dumps(result) + "\n")
                output.flush()
                ends[result["mutant"]] = result["end"]
                print(
                    f"{len(ends)}/{len(entries)} {result['end']}: {result['mutant']} {result['by']}", file=sys.stderr, flush=True
                )
    print(table(ends))


def _prepared(where: Path) -> Path:
    """A copy with machine code of its own, as a changed kernel is compiled anew."""
    copy(where)
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "tiler"
    if cache.is_dir():
        shutil.copytree(cache, where / ".cache/tiler")
    return where


def _name(entry: dict[str, Any]) -> str:
    return f"{entry['file']}:{entry['line']} {entry['was'].strip()} -> {entry['becomes'].strip()}"


if __name__ == "__main__":
    main()
