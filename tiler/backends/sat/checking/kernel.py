"""Propagate units along a proof, forwards: does each clause follow from those before it?

A literal is 2v for the variable v (from 1), 2v + 1 for its negation. Clauses are numbered in the order in which they first come,
those of the CNF before those of the proof. A clause of the proof follows if unit propagation from its negation ends in a conflict
(reverse unit propagation, RUP: Goldberg and Novikov, 2003). Deleted clauses are no longer propagated. But literals that were
derived from them without an assumption stay: they follow from the CNF, so a proof may rest on them.

Every clause watches its first two literals. The watches of a literal are a linked list through `next`. Its numbers are 2c and 2c
+ 1, for the first and the second literal of clause c. One step is one propagation, and takes as long.
"""

from __future__ import annotations

from typing import NamedTuple

from tiler.kernels import PAUSED, inner, kernel
from tiler.kernels.arrays import I32, I64, U8

#: `follow` returns PAUSED or one of these: the CNF is refuted; the clause of this step does not follow; the proof ended too
#: early.
REFUTED, WRONG, UNFINISHED = 10, 11, 12
#: The kinds of steps: what a step does with its clause.
GIVEN, DERIVED, DELETED = 0, 1, 2


class ClauseProof(NamedTuple):
    """A CNF and a proof, as arrays; only read."""

    starts: I64  #: where each clause starts in `literals`, shape (clauses + 1,)
    steps: I32  #: the clause of each step
    kinds: U8  #: GIVEN, DERIVED or DELETED, shape (steps,)


class CheckingState(NamedTuple):
    """The state of the check."""

    literals: I32  #: the literals of all clauses; the first two of each clause are watched, so literals change places
    next: I32  #: the next watch in a list, -1 at its end, shape (2 * clauses,)
    first: I32  #: the first watch of each literal, -1 if there is none, shape (literals there are,)
    truth: U8  #: of each literal: 0 open, 1 true, 2 false
    trail: I32  #: the true literals in the order in which they became so, shape (variables + 1,)
    deleted: U8  #: shape (clauses,)
    at: I64  #: the step to be done, how many of `trail` are set, and how many clauses were derived, shape (3,)


@inner(inline=True)
def _set(state: CheckingState, literal: int, tail: int) -> int:
    """Make a literal true; returns the new length of the trail."""
    state.truth[literal] = 1
    state.truth[literal ^ 1] = 2
    state.trail[tail] = literal
    return tail + 1


@inner()
def _propagate(proof: ClauseProof, state: CheckingState, head: int, tail: int) -> int:
    """Set all literals that follow from the literals of the trail from `head` on. Returns the new length of the trail, or -1
    after a conflict.
    """
    starts, literals, following, first, truth = proof.starts, state.literals, state.next, state.first, state.truth
    while head < tail:
        false = state.trail[head] ^ 1
        head += 1
        before, watch = -1, first[false]
        while watch >= 0:
            clause, side = watch >> 1, watch & 1
            after = following[watch]
            start = starts[clause]
            other = literals[start + 1 - side]
            moved = state.deleted[clause] == 1
            if not moved and truth[other] != 1:
                for k in range(start + 2, starts[clause + 1]):
                    literal = literals[k]
                    if truth[literal] != 2:
                        literals[start + side] = literal
                        literals[k] = false
                        following[watch] = first[literal]
                        first[literal] = watch
                        moved = True
                        break
                if not moved:
                    if truth[other] == 2:
                        return -1
                    tail = _set(state, other, tail)
            if moved:
                if before < 0:
                    first[false] = after
                else:
                    following[before] = after
            else:
                before = watch
            watch = after
    return tail


@inner()
def _follows(proof: ClauseProof, state: CheckingState, clause: int, tail: int) -> bool:
    """Whether a clause follows from those before it; leaves the trail as it was."""
    now, conflict = tail, False
    for k in range(proof.starts[clause], proof.starts[clause + 1]):
        literal = state.literals[k]
        if state.truth[literal] == 1:
            conflict = True
            break
        if state.truth[literal] == 0:
            now = _set(state, literal ^ 1, now)
    if not conflict:
        conflict = _propagate(proof, state, tail, now) < 0
    # After a conflict the trail may be longer than returned: it ends before the first literal that is not set.
    place = tail
    while place < state.trail.size and state.trail[place] >= 0:
        literal = state.trail[place]
        state.truth[literal] = 0
        state.truth[literal ^ 1] = 0
        state.trail[place] = -1
        place += 1
    return conflict


@inner()
def _add(proof: ClauseProof, state: CheckingState, clause: int, tail: int) -> int:
    """Add a clause. Returns the new length of the trail, or -1 if there is a contradiction without any assumption."""
    start, end = proof.starts[clause], proof.starts[clause + 1]
    literals, free = state.literals, 0
    for k in range(start, end):
        literal = literals[k]
        if state.truth[literal] == 1:
            return tail
        if state.truth[literal] == 0 and free < 2:
            literals[k] = literals[start + free]
            literals[start + free] = literal
            free += 1
    if free == 0:
        return -1
    if free == 1:
        return _propagate(proof, state, tail, _set(state, literals[start], tail))
    for side in range(2):
        literal = literals[start + side]
        state.next[2 * clause + side] = state.first[literal]
        state.first[literal] = 2 * clause + side
    return tail


@kernel()
def follow(proof: ClauseProof, state: CheckingState, budget: int) -> int:
    """Check some steps of a proof. When this returns, `state.at` says how far it came."""
    step, tail = state.at[0], state.at[1]
    end = min(proof.steps.size, step + budget)
    while step < end:
        clause, kind = proof.steps[step], proof.kinds[step]
        if kind == DELETED:
            state.deleted[clause] = 1
        else:
            if kind == DERIVED:
                if not _follows(proof, state, clause, tail):
                    state.at[0], state.at[1] = step, tail
                    return WRONG
                state.at[2] += 1
            tail = _add(proof, state, clause, tail)
            if tail < 0:
                state.at[0] = step
                return REFUTED
        step += 1
    state.at[0], state.at[1] = step, tail
    return UNFINISHED if step == proof.steps.size else PAUSED
