"""Every backend with every option against the brute force, as sets of solutions, and against itself on a problem put differently.

The specs are made from the backends' classes (specs.py), the boards are those of the stored corpus (corpus.py). The name of a
backend is in the name of each of its tests: `pytest -k fila` runs all that there are for one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, replace
from random import Random

import pytest
from brute_force import as_tiling
from corpus import BOARDS, Board, asked, boards, by_night, covering, is_small
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from specs import ENGINES, INSTALLED, OF_EVERY_BACKEND, PROVERS, SEARCHES, pairs, singles, values

from tiler.ask import session
from tiler.ask.solve import TilingAnswer, solve
from tiler.backends.base import Backend
from tiler.backends.registry import parse_spec
from tiler.model.expected import Status
from tiler.model.instance import Instance
from tiler.model.lattice import Cell, Isometry, Shape, move
from tiler.model.lattices import fitted
from tiler.model.open_cells import OpenGroup
from tiler.model.tile import Placement
from tiler.model.verify_blocks import BlockVerifier
from tiler.question.question import Goal, Limits, Question
from tiler.question.result import Stop
from tiler.selftest.examples import Example

pytestmark = pytest.mark.usefixtures("sat_in_this_process")

#: How many boards a search with an option is tried on, with two options of its own, and an engine.
MANY, SOME, FEW = 9, 4, 2
#: Of an engine every tiling costs a call.
MOST_OF_AN_ENGINE = 5
#: Proofs of all kinds: with them nothing small stays open.
EVERY_PROOF = "coloring:stages=area+lattice+weights+probe+cases"

#: Why backends refuse some boards, in their words.
REFUSED = ("proofs are about edges that tiles may cross", "is made for flat boards of squares and cubes", "it lays strips")

COUNTING = [backend for backend in SEARCHES if Goal.COUNT in backend.goals]

DECIDE, COUNT, ENUMERATE = Question(), Question(Goal.COUNT), Question(Goal.ENUMERATE)
SYMMETRIC, ORBITS = (Question(goal, up_to_symmetry=True) for goal in (Goal.COUNT, Goal.ENUMERATE))


@pytest.fixture(scope="module", autouse=True)
def one_verifier_for_each_cover() -> Iterator[None]:
    """Backends find the same placements again and again: what the verifier knows of them stays."""
    made: dict[object, BlockVerifier] = {}

    def of(instance: Instance, placements: Callable[[Sequence[int]], Sequence[Placement]]) -> BlockVerifier:
        if placements not in made:
            made[placements] = BlockVerifier(instance, placements)
        return made[placements]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(session, "BlockVerifier", of)
        yield


def some(number: int, turn: int) -> list[Board]:
    """So many boards: some of a few that have all features between them, then plain and constrained ones; in turn others."""
    few, others = covering(1), boards("plain", "constrained")
    of_few = number // 3
    return [
        *(few[(turn * of_few + step) % len(few)] for step in range(of_few)),
        *(others[(turn * (number - of_few) + step) % len(others)] for step in range(number - of_few)),
    ]


def specs_of(kind: list[type[Backend]]) -> list[str]:
    return [spec for backend in kind for spec in singles(backend)]


def ask(spec: str, board: Example, question: Question = DECIDE) -> TilingAnswer:
    return solve(board.instance, spec, question, cover=board.cover)


def agree_on_deciding(spec: str, board: Board) -> None:
    if is_refused(spec, Goal.DECIDE, board):
        return
    answer = ask(spec, board)
    if gives_up(spec, answer):
        return
    assert answer.result.status is (Status.SAT if board.tilings else Status.UNSAT), board
    assert answer.result.stop is Stop.DONE, board
    assert len(answer.solutions) == bool(board.tilings), board
    assert board.tilings.issuperset(map(as_tiling, answer.solutions)), board


def agree_on_counting(spec: str, board: Board) -> None:
    if not is_refused(spec, Goal.COUNT, board) and not is_anchored(spec):
        answer = ask(spec, board, COUNT)
        assert gives_up(spec, answer) or answer.result.count == len(board.tilings), board


def agree_on_orbits(spec: str, board: Board) -> None:
    if is_refused(spec, Goal.COUNT, board) or not (is_anchored(spec) or board.order > 1):
        return
    answer = ask(spec, board, SYMMETRIC)
    expected = (board.number_of_orbits, board.order)
    assert gives_up(spec, answer) or (answer.result.count, answer.result.symmetry) == expected, board
    listed = ask(spec, board, ORBITS)
    orbits = [board.orbits[as_tiling(solution)] for solution in listed.solutions]
    assert len(orbits) == len(set(orbits)), board
    assert gives_up(spec, listed) or len(orbits) == board.number_of_orbits, board


def agree_on_enumerating(spec: str, board: Board) -> None:
    if is_refused(spec, Goal.ENUMERATE, board) or is_anchored(spec):
        return
    answer = ask(spec, board, ENUMERATE)
    found = list(map(as_tiling, answer.solutions))
    assert len(found) == len(set(found)), board
    assert set(found) <= board.tilings, board
    if gives_up(spec, answer):
        return
    assert set(found) == board.tilings, board
    assert (answer.result.count, answer.result.stop) == (len(found), Stop.DONE), board


def agree_on_the_rest(spec: str, board: Board) -> None:
    """On tilings at random, on the uses of placements, and on the proof that there is none."""
    if is_anchored(spec):
        return
    agree_on_sampling(spec, board)
    agree_on_uses(spec, board)
    agree_on_proving(spec, board)


def agree_on_sampling(spec: str, board: Board) -> None:
    if is_refused(spec, Goal.SAMPLE, board):
        return
    answer = ask(spec, board, Question(Goal.SAMPLE, samples=5, seed=3))
    drawn = list(map(as_tiling, answer.solutions))
    assert len(drawn) == answer.result.found == (5 if board.tilings else 0), board
    assert board.tilings.issuperset(drawn), board
    assert answer.result.status is (Status.SAT if board.tilings else Status.UNSAT), board


def agree_on_uses(spec: str, board: Board) -> None:
    if is_refused(spec, Goal.USES, board):
        return
    result = ask(spec, board, Question(Goal.USES)).result
    assert result.count == len(board.tilings), board
    uses = {placed: number for option, number in (result.uses or {}).items() if number for placed in board.shown(option)}
    assert uses == Counter(placed for tiling in board.tilings for placed in tiling), board


def agree_on_proving(spec: str, board: Board) -> None:
    if is_refused(spec, Goal.PROVE, board):
        return
    answer = ask(spec, board, Question(Goal.PROVE))
    verdict = Status.SAT if board.tilings else Status.UNSAT
    assert answer.result.status in ({Status.UNKNOWN, verdict} if may_not_know(spec) else {verdict}), board
    assert board.tilings.issuperset(map(as_tiling, answer.solutions)), board


def agree_on_optimising(spec: str, board: Board) -> None:
    if is_refused(spec, Goal.OPTIMISE, board) or is_anchored(spec):
        return
    weighted = board.weighted
    answer = ask(spec, weighted, Question(Goal.OPTIMISE))
    weights = list(map(weighted.weight, board.tilings))
    assert answer.result.status is (Status.SAT if weights else Status.UNSAT), board
    assert answer.result.stop is Stop.DONE, board
    assert answer.result.value == max(weights, default=None), board
    for tiling in map(as_tiling, answer.solutions[-1:]):
        assert tiling in board.tilings, board
        assert weighted.weight(tiling) == max(weights), board
    if weights:
        assert answer.result.bound == max(weights), board
        assert answer.solutions, board


def gives_up(spec: str, answer: TilingAnswer) -> bool:
    """Whether the answer is that a search which is not complete has ended without one."""
    return not parse_spec(spec).complete and answer.result.stop is Stop.UNDECIDED


def may_not_know(spec: str) -> bool:
    """Whether proofs come from the prover, which has no other search to fall back upon."""
    return parse_spec(spec).name in ("auto", *(backend.name for backend in PROVERS))


def is_refused(spec: str, goal: Goal, board: Board | None = None) -> bool:
    """Whether a backend does not answer this; of a board only what is known to be refused."""
    reason = parse_spec(spec).refusal(Question(goal), board and board.cover)
    if reason is not None and parse_spec(spec).refusal(Question(goal)) is None:
        assert any(words in reason for words in REFUSED), (spec, board, reason)
    return reason is not None


def is_anchored(spec: str) -> bool:
    """Whether only tilings up to symmetry are found, so that there may be no others to count or list."""
    return parse_spec(spec).anchor != "off"


def agree_on_everything(spec: str, board: Board) -> None:
    agree_on_deciding(spec, board)
    agree_on_counting(spec, board)
    agree_on_orbits(spec, board)
    agree_on_enumerating(spec, board)
    agree_on_the_rest(spec, board)
    agree_on_optimising(spec, board)


@pytest.mark.parametrize("sort", BOARDS)
@pytest.mark.parametrize("backend", SEARCHES, ids=lambda backend: backend.name)
def test_the_tilings_are_those_of_the_brute_force(backend: type[Backend], sort: str) -> None:
    """All boards are listed and counted; by the backend that asks the others a part is; one each counts orbits."""
    for number, board in enumerate(boards(sort)):
        if backend.name != "auto" or number % 2 == 0:
            agree_on_enumerating(backend.name, board)
        if backend.name != "auto" or number % 3 == 0:
            agree_on_counting(backend.name, board)
        if number % len(SEARCHES) == SEARCHES.index(backend):
            agree_on_orbits(backend.name, board)


@pytest.mark.parametrize("backend", SEARCHES, ids=lambda backend: backend.name)
def test_all_answers_are_those_of_the_brute_force(backend: type[Backend]) -> None:
    for board in covering(1):
        agree_on_everything(backend.name, board)


@pytest.mark.parametrize("spec", [spec for spec in specs_of(SEARCHES) if ":" in spec])
def test_so_they_are_with_any_option(spec: str, times: float) -> None:
    for number, board in enumerate(some(round(MANY * max(times, 1)), specs_of(SEARCHES).index(spec))):
        if number % 4 == 0:
            agree_on_everything(spec, board)
        elif is_refused(spec, Goal.ENUMERATE) or is_anchored(spec):
            agree_on_deciding(spec, board)
        else:
            agree_on_counting(spec, board)
            agree_on_enumerating(spec, board)


@pytest.mark.parametrize("backend", SEARCHES, ids=lambda backend: backend.name)
def test_so_they_are_with_any_two_options(backend: type[Backend], times: float) -> None:
    for number, spec in enumerate(pairs(backend)):
        for board in some(max(1, round(SOME * min(times, 1))), number):
            (agree_on_deciding if is_refused(spec, Goal.ENUMERATE) else agree_on_enumerating)(spec, board)


@pytest.mark.long
@pytest.mark.parametrize("spec", specs_of(ENGINES))
def test_so_they_are_from_engines(spec: str) -> None:
    """Alone they are asked about all features, with an option about some."""
    few = covering(1, MOST_OF_AN_ENGINE)
    if ":" in spec:
        few = tuple(few[(FEW * specs_of(ENGINES).index(spec) + step) % len(few)] for step in range(FEW))
    for board in few:
        if board is few[0] or is_refused(spec, Goal.ENUMERATE) or is_anchored(spec):
            agree_on_deciding(spec, board)
        agree_on_enumerating(spec, board)
    agree_on_the_rest(spec, few[0])
    agree_on_optimising(spec, few[0])


@pytest.mark.parametrize("spec", specs_of(PROVERS))
def test_nothing_is_proved_impossible_that_the_brute_force_finds(spec: str) -> None:
    if is_refused(spec, Goal.DECIDE):
        return
    few = some(MANY, specs_of(PROVERS).index(spec)) if ":" in spec else [board for board in boards() if board.tilings][::3]
    for board in few:
        if not is_refused(spec, Goal.PROVE, board):
            answer = ask(spec, board)
            assert answer.result.status in {Status.UNKNOWN} | ({Status.UNSAT} if not board.tilings else set()), board
            assert ask(spec, board, Question(Goal.PROVE)).result.certificate == answer.result.certificate, board


def test_with_all_kinds_of_proof_everything_else_is_proved_impossible() -> None:
    """The checker confirms every proof: `solve` raises if not."""
    for board in [board for board in boards() if not board.tilings and not is_refused(EVERY_PROOF, Goal.PROVE, board)]:
        if not board.instance.is_painted:
            assert ask(EVERY_PROOF, board, Question(Goal.PROVE)).result.status is Status.UNSAT, board
    for board in covering(1):
        if board.tilings and not is_refused(EVERY_PROOF, Goal.PROVE, board):
            assert ask(EVERY_PROOF, board, Question(Goal.PROVE)).result.status is Status.UNKNOWN, board


@pytest.mark.parametrize("backend", INSTALLED, ids=lambda backend: backend.name)
def test_every_option_is_in_some_spec(backend: type[Backend]) -> None:
    """A new option that is no choice and no switch names values to be tried in its declaration."""
    asked = [parse_spec(spec) for spec in singles(backend)]
    for field in fields(backend):
        if backend in PROVERS and field.name in OF_EVERY_BACKEND:
            continue  # A proof is about all placements.
        words = {str(getattr(each, field.name)) for each in asked}
        assert len(words) > 1, f"{backend.name} is never asked with another {field.name} than {field.default}"
        assert words >= {word for word in values(backend, field) if word not in ("on", "off")}


@by_night
@pytest.mark.parametrize("sort", BOARDS)
@settings(max_examples=25)
@given(st.data(), st.integers(1, 4))
def test_whatever_is_drawn_the_tilings_are_those_of_the_brute_force(sort: str, data: st.DataObject, limit: int) -> None:
    board = asked(data.draw(BOARDS[sort][0].filter(is_small)), sort, -1)
    assume(board is not None)
    assert board is not None
    for backend in SEARCHES:
        spec = data.draw(st.sampled_from(singles(backend) + pairs(backend)))
        agree_on_everything(spec, board)
        if not is_refused(spec, Goal.ENUMERATE) and not is_anchored(spec):
            listed = solve(board.instance, spec, Question(Goal.ENUMERATE, Limits(solutions=limit))).solutions
            assert len(listed) == min(limit, len(board.tilings))


@pytest.mark.parametrize("backend", COUNTING, ids=lambda backend: backend.name)
def test_counts_the_same_put_differently(backend: type[Backend]) -> None:
    """Turned, moved, and with the tiles in another order."""
    chance = Random(1)
    specs = [spec for spec in singles(backend) if not is_refused(spec, Goal.COUNT)]
    for board in [board for board in boards("plain", "lattices") if board.tilings and not board.instance.constraints]:
        spec, instance = chance.choice(specs), board.instance
        lattice = instance.lattice
        turn = chance.choice(lattice.isometries(False))
        offset = tuple(m * chance.randint(-9, 9) for m in lattice.moduli)

        def turned(shape: Shape, turn: Isometry = turn, offset: Cell = offset) -> Shape:
            return move(frozenset(map(turn, shape)), offset)

        groups = tuple(OpenGroup(each.name, turned(each.cells)) for each in instance.groups)
        there, tiles = turned(instance.board), tuple(chance.sample(instance.tiles, len(instance.tiles)))
        if fitted(lattice, there)[0] != lattice:
            continue  # turned flat, it would be a plane board
        other = replace(instance, board=there, optional=turned(instance.optional), groups=groups, tiles=tiles)
        counted = solve(other, spec, SYMMETRIC if is_anchored(spec) else COUNT).result
        assert gives_up(spec, counted) or counted.count == (board.number_of_orbits if is_anchored(spec) else len(board.tilings))


@pytest.mark.parametrize("backend", SEARCHES, ids=lambda backend: backend.name)
def test_as_many_are_listed_as_are_wanted_and_twice_the_same(backend: type[Backend]) -> None:
    many = [board for board in covering(1) if len(board.tilings) > 4]
    for number, spec in enumerate(singles(backend)):
        if not is_refused(spec, Goal.ENUMERATE) and not is_anchored(spec):
            board, wanted = many[number % len(many)], number % 4 + 1
            question = Question(Goal.ENUMERATE, Limits(solutions=wanted))
            first, second = (ask(spec, board, question) for _ in range(2))
            assert len(first.solutions) == wanted, (spec, board)
            assert board.tilings.issuperset(map(as_tiling, first.solutions)), (spec, board)
            assert (first.result.stop, first.result.count) == (Stop.SOLUTIONS, None), (spec, board)
            assert (first.solutions, first.result.nodes) == (second.solutions, second.result.nodes), (spec, board)
