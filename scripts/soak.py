"""Self-tests for hours, each for a minute in a process of its own, under limits: does memory grow, is anything left behind?

    python scripts/soak.py [--minutes 90] [--megabytes 2000]

Printed for each: answers compared, and the peak of its memory. Ends with exit status 1 at a wrong answer, or where a process of a
self-test or a new entry in the folder for temporary files is left when it has ended, or where it took more memory than that.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil

ROOT = Path(__file__).resolve().parent.parent


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Self-tests for a long time, and what they leave behind.")
    parser.add_argument("--minutes", type=float, default=90)
    parser.add_argument("--megabytes", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    end, seed, total = time.monotonic() + 60 * options.minutes, options.seed, 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        while time.monotonic() < end:
            answers, wrong = one(folder, seed, min(1.0, (end - time.monotonic()) / 60), options.megabytes)
            total += answers
            if wrong:
                print(f"seed {seed}: {wrong}", flush=True)
                return 1
            seed += 1
    print(f"{total:,} answers compared; nothing was left behind")
    return 0


def one(folder: Path, seed: int, minutes: float, megabytes: int) -> tuple[int, str]:
    """One self-test: how many answers it compared, and what is wrong, if anything."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(folder)}
    command = [sys.executable, "-m", "tiler", "selftest", "--minutes", f"{max(0.05, minutes):.2f}", "--seed", str(seed)]
    process = subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True, start_new_session=True)
    out, _ = process.communicate()
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    found = re.search(r"([\d,]+) answers", out)
    answers = int(found[1].replace(",", "")) if found else 0
    print(f"seed {seed}: {answers:,} answers, {peak:.0f} MiB at most", flush=True)
    if process.returncode:
        return answers, f"exit status {process.returncode}\n{out}"
    left = [each.pid for each in psutil.process_iter() if _environment(each) == str(folder)]
    if left:
        return answers, f"processes are left: {left}"
    files = sorted(path.name for path in folder.iterdir())
    if files:
        return answers, f"files are left: {files}"
    return answers, f"more than {megabytes} MiB" if peak > megabytes else ""


def _environment(process: psutil.Process) -> str:
    """Where a process puts temporary files: by that those of ours are known, whatever group they are in."""
    try:
        return str(process.environ().get("TMPDIR", ""))
    except psutil.Error:
        return ""


if __name__ == "__main__":
    sys.exit(main())
