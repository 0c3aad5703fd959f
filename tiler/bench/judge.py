"""What answers are worth: each by itself, and all of a campaign together."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from enum import StrEnum
from typing import Any

from tiler.bench.store import Record
from tiler.errors import BadSolution
from tiler.model.expected import Status
from tiler.question.question import Goal
from tiler.question.result import Stop


class Category(StrEnum):
    """What an answer is worth."""

    CORRECT = "correct"  #: as expected
    WRONG = "wrong"  #: the verifier refused it, or it contradicts what is expected or another solver's answer
    UNKNOWN = "unknown"  #: not decided within the limits
    ERROR = "error"  #: the solver failed
    VERIFIED = "verified"  #: nothing is expected, but the verifier has accepted the tiling
    CERTIFIED = "certified"  #: nothing is expected, but the checker has accepted the proof that there is none
    UNCHECKED = "unchecked"  #: nothing is known to compare it with


#: Those of answers that nothing is expected of.
UNEXPECTED = (Category.VERIFIED, Category.CERTIFIED, Category.UNCHECKED)


def categorise(record: Record) -> tuple[Category, str]:
    """What a record is worth by itself, and why if it is wrong."""
    expected = record.get("expected") or {}
    status, count = record.get("status"), record.get("count")
    verdict = expected.get("verdict")
    if record.get("error") == BadSolution.__name__:
        return Category.WRONG, ""
    if record.get("stop") == Stop.ERROR:
        return Category.ERROR, ""
    if status == Status.UNKNOWN:
        return Category.UNKNOWN, ""
    if verdict is not None and status != verdict:
        proof = "; the tiling holds, so the file is mistaken" if record.get("verified") else ""
        return Category.WRONG, f"the answer is {status}, expected is {verdict}{proof}"
    if record.get("goal") == Goal.DECIDE:
        return _by_itself(record) if verdict is None else Category.CORRECT, ""
    if count is None:
        return Category.UNKNOWN, ""
    # An UNSAT that is expected is a count of 0 that is.
    if expected.get("count") is None and (verdict is None or status == Status.SAT):
        return _by_itself(record), ""
    if count != (expected.get("count") or 0):
        return Category.WRONG, f"counted {count}, expected are {expected.get('count')}"
    return Category.CORRECT, ""


def _by_itself(record: Record) -> Category:
    """What an answer is worth of which nothing is expected: that tilings were verified says nothing of their number."""
    if record.get("status") == Status.UNSAT:
        return Category.CERTIFIED if record.get("proved") else Category.UNCHECKED
    return Category.VERIFIED if record.get("verified") and record.get("goal") == Goal.DECIDE else Category.UNCHECKED


def judge(records: Sequence[Record]) -> tuple[Record, ...]:
    """The records with the categories that all of them together give: answers to the same question must agree.

    A verified tiling refutes every UNSAT, and a proof that was checked every unverified SAT. Of two unverified answers that
    contradict each other nobody knows which holds; where nothing is expected, both are wrong until someone finds out.
    """
    together: dict[Any, list[Record]] = defaultdict(list)
    for record in records:
        if record.get("error") is None and record.get("status") in (Status.SAT, Status.UNSAT):
            together[record.get("digest")].append(record)

    def objection(record: Record) -> str:
        peers = together[record.get("digest")]
        tilings = [peer for peer in peers if peer.get("status") == Status.SAT]
        seen = [peer for peer in tilings if peer.get("verified")]
        if record.get("status") == Status.UNSAT and seen:
            return f"{seen[0].get('solver')} found a tiling, and it holds"
        if record.get("category") == Category.CORRECT or record.get("verified") or record.get("proved"):
            return ""
        proofs = [peer for peer in peers if peer.get("proved")]
        if record.get("status") == Status.SAT and proofs:
            return f"{proofs[0].get('solver')} proved that there is none, and the proof holds"
        if 0 < len(tilings) < len(peers):
            return "one says sat, another unsat, and neither is verified"
        counts = sorted({peer["count"] for peer in peers if peer.get("goal") == Goal.COUNT and peer.get("count") is not None})
        if len(counts) > 1 and record.get("goal") == Goal.COUNT:
            return f"solvers counted {' and '.join(map(str, counts))}"
        return ""

    judged: list[Record] = []
    for record in records:
        category = record.get("category")
        why = objection(record) if category in (Category.CORRECT, *UNEXPECTED) else ""
        if why:
            judged.append({**record, "category": Category.WRONG, "message": why})
        else:
            judged.append({**record, "category": _by_itself(record)} if category in UNEXPECTED else record)
    return tuple(judged)
