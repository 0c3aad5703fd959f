"""A table of proofs that problems have no tiling, as SAT engines and the prover write them: how large, and how long to check.

    python scripts/proofs_table.py [--tag thesis] [--filter 4L/] [--solver sat:encoding=amk-seqcounter] [--time-limit 300]

Every problem whose file says that there is no tiling. A line of Markdown for each: cells; of the SAT proof its clauses, its size
with that of its CNF, the seconds of CPU time to find and to check it, and the verdict of the check; of the certificate its size
and the same. Exit 1 if one of them is not proved. `area` is where the areas alone tell, so that no proof is written.
"""

from __future__ import annotations

import argparse
import json
import sys
import time

from tiler.ask.solve import solve
from tiler.backends.coloring import checker
from tiler.backends.sat.checking import refutation
from tiler.bench import corpus
from tiler.kernels import load
from tiler.model.expected import Status
from tiler.model.instance import Instance
from tiler.process import isolate
from tiler.question import certificate
from tiler.question.drup import Drup
from tiler.question.question import Goal, Limits, Question


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Prove that problems have no tiling, and check the proofs.")
    parser.add_argument("--tag", action="append", default=[])
    parser.add_argument("--filter", action="append", default=[])
    parser.add_argument("--solver", default="sat:encoding=amk-seqcounter,engine=cadical195")
    parser.add_argument("--time-limit", type=float, default=300, metavar="SECONDS")
    options = parser.parse_args(arguments)
    load()
    question = Question(Goal.PROVE, Limits(seconds=options.time_limit))
    print("| problem | cells | clauses | CNF and proof | found | checked | verdict | certificate | found | checked | verdict |")
    print("|---|--:|--:|--:|--:|--:|---|--:|--:|--:|---|")
    not_proved = 0
    for instance in corpus.select(corpus.find_folder(), options.filter, options.tag or ["thesis"]):
        if instance.about.expected.verdict is Status.UNSAT:
            # In a process of its own, so that a proof does not stay in memory, and all of its CPU time is seen.
            seconds = 4 * options.time_limit
            sat = isolate.run(drup, instance, options.solver, question, seconds=seconds).value
            prover = isolate.run(colouring, instance, question, seconds=seconds).value
            columns = [instance.name, str(len(instance.board)), *(sat or ["?"] * 5), *(prover or ["?"] * 4)]
            not_proved += {columns[6], columns[10]} != {"proved"}
            print(f"| {' | '.join(columns)} |", flush=True)
    return 1 if not_proved else 0


def drup(instance: Instance, solver: str, question: Question) -> list[str]:
    """Clauses, size, seconds to find and to check, and verdict, of a SAT engine's proof."""
    answer = solve(instance, solver, question)
    proof = answer.result.certificate
    if not isinstance(proof, Drup):
        reason = answer.result.message.partition(":")[0]
        return [reason or str(answer.result.status), "", "", "", "proved" if reason == "area" else ""]
    cnf, steps = (sum(len(line) + 1 for line in lines) for lines in (proof.cnf, proof.drup))
    began = time.process_time()
    texts = ("".join(f"{line}\n" for line in lines) for lines in (proof.cnf, proof.drup))
    found = refutation.check(instance, ("cnf", next(texts)), ("drup", next(texts)))
    took = time.process_time() - began
    verdict = "wrong" if found.wrong else "not shown" if found.not_shown else "proved"
    clauses = sum(not line.startswith("d ") for line in proof.drup)
    found_in = f"{answer.result.stats.get('engine_seconds', 0):.2f} s"
    return [f"{clauses:,}", f"{size(cnf)} + {size(steps)}", found_in, f"{took:.2f} s", verdict]


def colouring(instance: Instance, question: Question) -> list[str]:
    """Size, seconds to find and to check, and verdict, of the prover's certificate."""
    began = time.process_time()
    answer = solve(instance, "coloring", question)
    took = time.process_time() - began
    proof = answer.result.certificate
    if not isinstance(proof, certificate.Certificate):
        return [str(answer.result.status), "", f"{took:.2f} s", ""]
    text = json.dumps(proof.to_json())
    began = time.process_time()
    wrong = checker.error_in(instance, certificate.parse(text))
    checked = time.process_time() - began
    return [size(len(text)), f"{took - checked:.2f} s", f"{checked:.2f} s", "wrong" if wrong else "proved"]


def size(octets: int) -> str:
    """An amount in words of the size."""
    return f"{octets} B" if octets < 1000 else f"{octets / 1000:.1f} kB" if octets < 1e6 else f"{octets / 1e6:.1f} MB"


if __name__ == "__main__":
    sys.exit(main())
