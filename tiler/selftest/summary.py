"""Say what a self-test found, and what it did not try."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import indent

from tiler.amounts import counted
from tiler.errors import InputError
from tiler.formats import json, text
from tiler.selftest import examples
from tiler.selftest.compare import QUESTIONS
from tiler.selftest.run import AT_ONCE, Failure, Totals

_SHOWN = 6  # the number of names in a list of names


def verdict(totals: Totals) -> str:
    """A sentence about all answers, which also says what had no answer and what was not tried."""
    untried = not_tried(totals)
    late = f"without an answer: {_questions(totals.unanswered)} ({totals.unanswered[0].wrong})" if totals.unanswered else ""
    boards = f", on boards of up to {counted(totals.largest, 'cell')}" if totals.largest else ""
    if totals.failures:
        words = [counted(len(totals.failures), "wrong answer"), late]
    elif not totals.answers:
        words = [late or "nothing was compared"]
    elif late:
        words = [late, f"all other answers were right{boards}"]
    else:
        words = [f"every answer was right{boards}"]
    return "; ".join([*filter(None, words), f"not tried: {'; '.join(untried)}" if untried else "nothing was left out"])


def not_tried(totals: Totals) -> list[str]:
    """What was not compared, each with the reason: what no solver took, and what was not reached."""
    asked = {name for _, name, _ in totals.tried}
    refused = {name for _, name, _ in totals.refused}
    late = {failure.name for failure in (*totals.unanswered, *totals.failures)}
    every = [example.name for example in (*examples.named_examples(), *examples.known_examples())]
    goals = {question for _, _, question in totals.tried}
    solvers = {backend for backend, _, _ in (*totals.tried, *totals.refused)}
    phrases = []
    if len(solvers) > AT_ONCE:
        phrases.append(f"{len(solvers) - AT_ONCE} of the {len(solvers)} solvers on each problem, by turns")
    unknown = [question for question in QUESTIONS if question in {key[2] for key in totals.refused} - goals]
    if unknown and goals:
        phrases.append(f"{', '.join(unknown)} (refused)")
    words = (
        ([name for name in every if name in refused - asked - late], "refused"),
        ([name for name in every if name not in asked | refused | late], "not reached"),
    )
    for names, why in words:
        if names:
            phrases.append(f"{counted(len(names), 'named problem')}, {_some(names)} ({why})")
    if not totals.drawn:
        phrases.append("random problems")
    return phrases


def wrong(failure: Failure) -> str:
    """A wrong answer with its problem, on several lines."""
    name = f" ({failure.name})" if failure.name else ""
    return f"{failure.words}{name}: {failure.wrong}\n{indent(content(failure).rstrip(), ' ' * 4)}"


def content(failure: Failure) -> str:
    """The problem as text that `tiler` reads, with the right numbers of tilings as the expected ones; JSON if its shapes have no
    maps."""
    problem = failure.problem
    if isinstance(problem, str):
        return problem
    if failure.name in examples.BOARDS and failure.question != "optimise":
        board, expected = examples.BOARDS[failure.name], problem.about.expected
        numbers = f"# count: {expected.count}\n# count up to symmetry: {expected.up_to_symmetry}\n"
        return f"{numbers}{'' if board.startswith('#') else chr(10)}{board}"
    try:
        return text.write(problem)
    except InputError:
        return json.write(problem)


def _some(names: Sequence[str]) -> str:
    return ", ".join([*(f"*{name}*" for name in names[:_SHOWN]), *["..."] * (len(names) > _SHOWN)])


def _questions(failures: Sequence[Failure]) -> str:
    words = [f"{each.spec}: {each.question}{f' of *{each.name}*' if each.name else ''}" for each in failures]
    return ", ".join([*words[:_SHOWN], *["..."] * (len(words) > _SHOWN)])
