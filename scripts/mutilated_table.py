"""A table of proofs that chessboards without two opposite corners have no dominoes on them: in the plane, on cylinders and tori.

    python scripts/mutilated_table.py                                sides 8, 16, 32, 50, 64, 100 and 128
    python scripts/mutilated_table.py --side 20 --python ENVIRONMENT/bin/python    where exact is: its proofs too

A line of Markdown for each board. Of the prover's certificate its size, CPU seconds to find and to check it, and the verdict of
the check. Of Exact, on the .opb that `tiler convert` writes: lines and size of its proof in the format of VeriPB, CPU seconds to
find it, and what it says; nothing here checks that proof. Exit status 1 if a certificate does not hold.
"""

from __future__ import annotations

import argparse
import resource
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from proofs_table import colouring, size

from tiler import formats
from tiler.backends.languages import writing
from tiler.backends.languages.writing import WriteRequest
from tiler.cover.board import BoardCover
from tiler.kernels import load
from tiler.model.instance import Instance
from tiler.process import isolate
from tiler.question.question import Goal, Limits, Question

HERE = Path(__file__).parent
SURFACES = {"plane": None, "cylinder": "columns", "torus": "rows columns"}


def instance(side: int, surface: str) -> Instance:
    last = side - 1
    corners = {(0, 0), (last, last)}
    rows = ["".join("." if (r, c) in corners else "x" for c in range(side)) for r in range(side)]
    return formats.inline(["/".join(rows), "2"], wrap=SURFACES[surface])


def exact(asked: Instance, python: str, seconds: int) -> list[str]:
    """Lines, size and CPU seconds of Exact's proof, and its verdict."""
    with tempfile.TemporaryDirectory() as name:
        file, proof = Path(name) / "problem.opb", Path(name) / "exact"
        written = writing.write(WriteRequest("opb", writing.model_of("opb")), BoardCover.of(asked))
        file.write_text("".join(f"{line}\n" for line in written.files["opb"]))
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(
            ["sh", "-c", f'ulimit -St {seconds}; exec "$@"', "sh", python, HERE / "pseudo_boolean.py", file, proof],
            capture_output=True,
            text=True,
            check=False,
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        if not done.stdout.startswith("s "):
            is_late = "interrupted" in done.stderr or done.returncode == -signal.SIGXCPU
            return ["", "", f"{took:.2f} s", "no answer in time" if is_late else "failed"]
        lines = proof.with_suffix(".proof").read_bytes()
        return [f"{lines.count(10):,}", size(len(lines)), f"{took:.2f} s", done.stdout.splitlines()[0].lower()[2:]]


def main() -> int:
    parser = argparse.ArgumentParser(description="Prove that chessboards without two corners have no dominoes on them.")
    parser.add_argument("--side", type=int, action="append", default=[], help="even; default: 8, 16, 32, 50, 64, 100, 128")
    parser.add_argument("--time-limit", type=int, default=60, metavar="SECONDS", help="CPU time for each; default: %(default)s")
    parser.add_argument("--python", help="the interpreter that has exact")
    options = parser.parse_args()
    load()
    question = Question(Goal.PROVE, Limits(seconds=4.0 * options.time_limit))
    print("| board | certificate | found | checked | verdict | lines of Exact's proof | size | found | says |")
    print("|---|--:|--:|--:|---|--:|--:|--:|---|")
    wrong = 0
    for side in options.side or (8, 16, 32, 50, 64, 100, 128):
        for surface in SURFACES:
            asked = instance(side, surface)
            ours = isolate.run(colouring, asked, question, seconds=8.0 * options.time_limit).value or ["?"] * 4
            theirs = exact(asked, options.python, options.time_limit) if options.python else [""] * 4
            wrong += ours[3] != "proved"
            print(f"| {side}x{side} {surface} | {' | '.join([*ours, *theirs])} |", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
