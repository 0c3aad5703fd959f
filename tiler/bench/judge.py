"""Judge answers: each by itself, and all answers of a campaign together."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from tiler.bench.record import Category, Record
from tiler.errors import BadSolution, Refused
from tiler.model.expected import Status
from tiler.question.question import Goal
from tiler.question.result import Stop

#: The categories of answers to problems without an expected answer.
UNEXPECTED = (Category.VERIFIED, Category.CERTIFIED, Category.UNCHECKED)


def categorise(record: Record) -> tuple[Category, str]:
    """The category of a record judged by itself; if it is wrong, with the reason."""
    expected = record.get("expected") or {}
    status, count = record.get("status"), record.get("count")
    verdict = expected.get("verdict")
    if record.get("error") == BadSolution.__name__:
        return Category.WRONG, ""
    if record.get("error") == Refused.__name__:
        return Category.REFUSED, ""
    if record.get("stop") == Stop.ERROR:
        return Category.ERROR, ""
    if status == Status.UNKNOWN:
        return Category.UNKNOWN, ""
    if verdict is not None and status != verdict:
        proof = "; the tiling holds, so the file is mistaken" if record.get("verified") else ""
        return Category.WRONG, f"the answer is {status}, but {verdict} is expected{proof}"
    if record.get("beforehand") and not expected.get("count"):
        return Category.BEFOREHAND, ""
    if record.get("goal") == Goal.DECIDE:
        return _by_itself(record) if verdict is None else Category.CORRECT, ""
    if count is None:
        return Category.UNKNOWN, ""
    # An expected UNSAT is also an expected count of 0.
    if expected.get("count") is None and (verdict is None or status == Status.SAT):
        return _by_itself(record), ""
    if count != (expected.get("count") or 0):
        return Category.WRONG, f"counted {count}, expected are {expected.get('count')}"
    return Category.CORRECT, ""


def _by_itself(record: Record) -> Category:
    """The category of an answer if no answer is expected. Verified tilings say nothing about the number of tilings."""
    if record.get("status") == Status.UNSAT:
        return Category.CERTIFIED if record.get("proved") else Category.UNCHECKED
    return Category.VERIFIED if record.get("verified") and record.get("goal") == Goal.DECIDE else Category.UNCHECKED


def judge(records: Sequence[Record]) -> tuple[Record, ...]:
    """The records with the categories that all of them together give: answers to the same question must agree.

    A verified tiling refutes every UNSAT, and a proof that was checked every unverified SAT. If two unverified answers
    contradict each other, nobody knows which one holds; where nothing is expected, both are wrong until someone finds out.
    """
    answers = RecordedAnswers(records)
    return tuple(map(answers.judged, records))


class RecordedAnswers:
    """A summary of many records for each problem, without the records; its size does not depend on their number."""

    def __init__(self, records: Iterable[Record] = ()) -> None:
        self._by_problem: dict[Any, _ProblemAnswers] = defaultdict(_ProblemAnswers)
        for record in records:
            self.add(record)

    def add(self, record: Record) -> None:
        """Let a record take part in judging."""
        status = record.get("status")
        if record.get("error") is not None or status not in (Status.SAT, Status.UNSAT):
            return
        answers = self._by_problem[record.get("digest")]
        answers.statuses.add(Status(status))
        if status == Status.SAT and record.get("verified") and answers.finder is None:
            answers.finder = str(record.get("solver"))
        if status == Status.UNSAT and record.get("proved") and answers.prover is None:
            answers.prover = str(record.get("solver"))
        count = record.get("count")
        if record.get("goal") == Goal.COUNT and count is not None:
            answers.counts.add(count)

    def judged(self, record: Record) -> Record:
        """A record that was added, with the category that all of them give it."""
        category = record.get("category")
        why = self._objection(record) if category in (Category.CORRECT, Category.BEFOREHAND, *UNEXPECTED) else ""
        if why:
            return {**record, "category": Category.WRONG, "message": why}
        return {**record, "category": _by_itself(record)} if category in UNEXPECTED else record

    def _objection(self, record: Record) -> str:
        answers = self._by_problem[record.get("digest")]
        if record.get("status") == Status.UNSAT and answers.finder is not None:
            return f"{answers.finder} found a tiling, and it holds"
        if record.get("category") == Category.CORRECT or record.get("verified") or record.get("proved"):
            return ""
        if record.get("status") == Status.SAT and answers.prover is not None:
            return f"{answers.prover} proved that there is none, and the proof holds"
        if len(answers.statuses) > 1:
            return "one says sat, another unsat, and neither is verified"
        if len(answers.counts) > 1 and record.get("goal") == Goal.COUNT:
            return f"solvers counted {' and '.join(map(str, sorted(answers.counts)))}"
        return ""


@dataclass
class _ProblemAnswers:
    """The answers in the records of one problem."""

    statuses: set[Status] = field(default_factory=set)
    counts: set[int] = field(default_factory=set)
    finder: str | None = None  #: the first solver with a verified tiling
    prover: str | None = None  #: the first solver with a checked proof that there is no tiling
