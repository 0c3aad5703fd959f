"""`tiler check --of`: check the answers of other programs to a file that `tiler convert` wrote."""

from __future__ import annotations

import re
import sys
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING

from tiler import printable
from tiler.backends.languages import LANGUAGES, Language, of_file
from tiler.cli.shared import verdicts
from tiler.errors import BadOption, InputError
from tiler.model.expected import Status

if TYPE_CHECKING:
    from tiler.backends.languages.answers import ProgramAnswer
    from tiler.model.instance import Instance
    from tiler.model.tile import Placement
    from tiler.question.question import Limits

_MAX_BYTES = 1 << 30
_SECONDS = 60.0  # seconds for our own count
_NEAR = 10**9  # A sum may be wrong by one part in this number: many counters add in floating point.
_MARKS = {"opb": "* x", "mps": "* x", "lp": "\\ x"}  # the letters before the number of a variable in a comment


def check(instance: Instance, answer: tuple[str, str], path: str, seconds: float | None, threads: int) -> int:
    """Whether an answer (its path and content) to the file at `path` is right. If the answer is a number, we compute it too,
    within `seconds` and with that number of `threads`, and compare."""
    from tiler import formats
    from tiler.backends.languages import answers
    from tiler.backends.sat.checking import refutation
    from tiler.question.question import Limits

    source, said = answer
    content = formats.load(path, _MAX_BYTES)
    language = _language(path, content)
    if language.name == "cnf" and refutation.is_proof(said, source):
        return _check_refutation(instance, (source, said), (path, content))
    try:
        found = answers.read(language.answers[0], said)
    except InputError as error:
        raise error.at(source) from None
    if language.answers[0] in ("count", "weight"):
        return _check_number(instance, found, source, Limits(seconds or _SECONDS, threads=threads))
    return _check_solution(instance, language, found, source, (path, content))


def _language(path: str, content: str) -> Language:
    """The language of a file: by its ending or, of a CNF for counting, by its line `c t`."""
    language = of_file(path)
    if language is None or not language.answers or language.is_problem or language.name == "dlx":
        able = [f".{each.name}" for each in LANGUAGES.values() if each.answers and not each.is_problem and each.name != "dlx"]
        raise BadOption(f"--of {path}: its ending says nothing; answers are read to {', '.join(able)}")
    kind = re.search(r"^c t (\w+)$", content, re.MULTILINE) if language.name == "cnf" else None
    return LANGUAGES.get(kind[1], language) if kind else language


def _check_solution(instance: Instance, language: Language, said: ProgramAnswer, source: str, of: tuple[str, str]) -> int:
    """Whether a solution is a tiling of the problem, and costs what the answer says."""
    from tiler.model import verify

    asked = re.search(rf"^[c*\\] {re.escape(verdicts.ASKED)}(.+)$", of[1], re.MULTILINE)
    judged = verdicts.judged(instance, asked and asked[1])
    expected = instance.about.expected.verdict
    cost, wrong = None, None
    if said.status is Status.SAT:
        placements = _placements(language, said, of)
        wrong = verify.error_in(judged, placements)
        cost = _cost(language, said, of)
        if wrong is None and None is not said.cost != cost is not None:
            wrong = f"the answer says that the tiling costs {said.cost}, but it costs {cost}"
    elif said.status is Status.UNSAT and expected is Status.SAT:
        wrong = "it says that there is no tiling, but the problem file expects one"
    else:
        print(f"tiler: {printable.line(source)}: {_unchecked(said.status, expected)}", file=sys.stderr)
        return 3
    if wrong:
        print(printable.line(f"wrong: {source}: {wrong}"))
        return 4
    best = "; whether another costs less was not checked" if said.optimal and cost is not None else ""
    opened = f"; cells may stay open, as `{asked[1]}` asks" if asked and judged is not instance else ""
    print("the solution holds" + (f"; it costs {cost}{best}" if cost is not None else "") + opened)
    return 0


def _unchecked(said: Status, expected: Status | None) -> str:
    """A sentence: why a verdict alone cannot be checked, and what can."""
    if said is not Status.UNSAT:
        return f"the answer is {said}; there is nothing in it to check"
    agrees = ", as the problem file expects" if expected is Status.UNSAT else ""
    return (
        f"it says that there is no tiling{agrees}, and shows no proof: there is nothing in it to check; what is checked is a "
        "DRUP proof about a .cnf of tiler convert, given in its place, or one of tiler solve --solver sat --proof"
    )


def _placements(language: Language, said: ProgramAnswer, of: tuple[str, str]) -> tuple[Placement, ...]:
    """The placements of a solution."""
    from tiler.backends.sat import dimacs

    if said.placements is not None:
        return tuple(each for each in said.placements if each.tile)
    if said.true is None:
        raise InputError("it says that there is a tiling, and shows none", of[0])
    meanings = dimacs.read_meanings(of[1], of[0], _MARKS.get(language.name, "c "))
    return dimacs.placements(meanings, said.true)


def _cost(language: Language, said: ProgramAnswer, of: tuple[str, str]) -> int | None:
    """The cost of a solution by the file; None if the language, or the file, has no costs."""
    from tiler.backends.ilp import program_files
    from tiler.backends.sat import dimacs

    assert said.true is not None or language.name == "mzn"
    if language.name == "opb":
        return program_files.opb_cost(of[1], said.true or (), of[0])
    if language.name == "wcnf":
        return dimacs.wcnf_cost(of[1], said.true or (), of[0])
    return None


def _check_refutation(instance: Instance, answer: tuple[str, str], of: tuple[str, str]) -> int:
    """Whether a proof that there is no model holds, and its clauses are the problem's."""
    from tiler.backends.sat.checking import refutation

    found = refutation.check(instance, of, answer)
    if found.wrong:
        print(printable.line(f"wrong: {answer[0]}: {found.wrong}"))
        return 4
    if found.not_shown:
        print(f"not shown: the clauses have no model ({found.checked}), but it was not shown that they follow from the problem")
        print(printable.line(f"{of[0]}: {found.not_shown}"))
        return 3
    print(f"the proof holds: there is no tiling ({found.checked})")
    return 0


def _check_number(instance: Instance, said: ProgramAnswer, source: str, limits: Limits) -> int:
    """Whether a count is the number that the problem file expects or, if it expects none, the number that we count."""
    from tiler.ask.solve import solve
    from tiler.question.question import Goal, Question

    if said.count is None:
        return _check_weight(instance, said.weight or Fraction(0), source, limits)
    known, by = instance.about.expected.count, "the problem file expects"
    if known is None:
        counted = solve(instance, question=Question(Goal.COUNT, limits))
        known, by = counted.result.count, f"{counted.solver.partition(':')[0]} counts"
    if known is None:
        print(f"tiler: {printable.line(source)}: {said.count:,} was not counted again in {limits.seconds:g} s", file=sys.stderr)
        return 3
    if known != said.count:
        print(printable.line(f"wrong: {source}: it says {said.count:,}, but {by} {known:,}"))
        return 4
    print(f"the count holds: {by} {known:,} too")
    return 0


def _check_weight(instance: Instance, said: Fraction, source: str, limits: Limits) -> int:
    """Whether all tilings together have the weight in the answer; a tiling weighs the product of the weights of its tiles, where
    0 counts 1."""
    from tiler.ask.solve import solve
    from tiler.question.question import Goal, Question, TallyBy

    found = solve(instance, question=Question(Goal.TALLY, limits, tally_by=(TallyBy.COPIES,)))
    if found.result.count is None:
        print(f"tiler: {printable.line(source)}: the sum {said} was not computed again in {limits.seconds:g} s", file=sys.stderr)
        return 3
    weights = [tile.weight or 1 for tile in instance.distinct_tiles]
    known = sum(
        number * prod(weight**copies for weight, copies in zip(weights, portion.copies, strict=True))
        for portion, number in (found.result.tally or {}).items()
    )
    by = f"{found.solver.partition(':')[0]} weighs"
    if said == known:
        print(f"the sum holds: {by} {known:,} too")
    elif abs(said - known) * _NEAR <= abs(known):
        print(f"the sum holds to nine digits: it says {float(said):g}, and {by} {known:,}")
    else:
        print(printable.line(f"wrong: {source}: it says {said}, but {by} {known:,}"))
        return 4
    return 0
