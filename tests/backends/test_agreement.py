"""Every backend with every option against the brute force, as sets of solutions, and against itself on a problem put differently.

The specs are made from the backends' classes (specs.py), the instances are drawn once for all of them (examples.py). The name of
a backend is in the name of each of its tests: `pytest -k fila` runs all that there are for one.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import fields, replace

import pytest
from brute_force import allowed_tilings, as_tiling, orbits
from examples import Example, examples, small
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from specs import ENGINES, INSTALLED, OF_EVERY_BACKEND, PROVERS, SEARCHES, pairs, singles, values
from square import flatten, isometries

from tiler.ask.solve import TilingAnswer, solve
from tiler.backends.base import Backend
from tiler.backends.registry import parse_spec
from tiler.model.expected import Status
from tiler.model.instance import Instance
from tiler.model.lattice import Shape, dimension, move
from tiler.model.open_cells import OpenGroup
from tiler.question.question import Goal, Limits, Question
from tiler.question.result import Stop

pytestmark = pytest.mark.usefixtures("sat_in_this_process")

#: How many instances a search is tried on, a search with two options of its own, and an engine.
MANY, SOME, FEW = 24, 4, 2
#: Of an engine every tiling costs a call.
MOST_OF_AN_ENGINE = 5

COUNTING = [backend for backend in SEARCHES if Goal.COUNT in backend.goals]

DECIDE, COUNT, ENUMERATE = Question(), Question(Goal.COUNT), Question(Goal.ENUMERATE)
SYMMETRIC = Question(Goal.COUNT, up_to_symmetry=True)


@pytest.fixture(scope="module")
def drawn(times: float) -> tuple[Example, ...]:
    """The instances that all are tried on; by night some more."""
    return examples(max(2 * SOME, round(MANY * min(times, 5))))


def specs_of(kind: list[type[Backend]]) -> list[str]:
    return [spec for backend in kind for spec in singles(backend)]


def ask(spec: str, example: Example, question: Question = DECIDE) -> TilingAnswer:
    return solve(example.instance, spec, question, cover=example.cover)


def agree_on_deciding(spec: str, example: Example) -> None:
    answer = ask(spec, example)
    if gives_up(spec, answer):
        return
    assert answer.result.status is (Status.SAT if example.tilings else Status.UNSAT), example
    assert answer.result.stop is Stop.DONE, example
    assert len(answer.solutions) == bool(example.tilings), example
    assert example.tilings.issuperset(map(as_tiling, answer.solutions)), example


def agree_on_counting(spec: str, example: Example) -> None:
    if is_refused(spec, Goal.COUNT):
        return
    if is_anchored(spec) or example.orbits < len(example.tilings):
        assert ask(spec, example, SYMMETRIC).result.count == example.orbits, example
    if not is_anchored(spec):
        answer = ask(spec, example, COUNT)
        assert gives_up(spec, answer) or answer.result.count == len(example.tilings), example


def agree_on_enumerating(spec: str, example: Example) -> None:
    if is_refused(spec, Goal.ENUMERATE) or is_anchored(spec):
        return
    answer = ask(spec, example, ENUMERATE)
    found = list(map(as_tiling, answer.solutions))
    assert len(found) == len(set(found)), example
    assert set(found) <= example.tilings, example
    if gives_up(spec, answer):
        return
    assert set(found) == example.tilings, example
    assert (answer.result.count, answer.result.stop) == (len(found), Stop.DONE), example


def agree_on_the_rest(spec: str, example: Example) -> None:
    """On tilings at random, on the uses of placements, and on the proof that there is none."""
    if is_anchored(spec):
        return
    agree_on_sampling(spec, example)
    agree_on_uses(spec, example)
    agree_on_proving(spec, example)


def agree_on_sampling(spec: str, example: Example) -> None:
    if is_refused(spec, Goal.SAMPLE):
        return
    answer = ask(spec, example, Question(Goal.SAMPLE, samples=5, seed=3))
    drawn = list(map(as_tiling, answer.solutions))
    assert len(drawn) == answer.result.found == (5 if example.tilings else 0), example
    assert example.tilings.issuperset(drawn), example
    assert answer.result.status is (Status.SAT if example.tilings else Status.UNSAT), example


def agree_on_uses(spec: str, example: Example) -> None:
    if is_refused(spec, Goal.USES):
        return
    result = ask(spec, example, Question(Goal.USES)).result
    assert result.count == len(example.tilings), example
    uses = {
        (each.tile, each.cells): number
        for option, number in (result.uses or {}).items()
        for each in example.cover.placements([option])
        if number
    }
    assert uses == Counter(placed for tiling in example.tilings for placed in tiling), example


def agree_on_proving(spec: str, example: Example) -> None:
    if is_refused(spec, Goal.PROVE):
        return
    answer = ask(spec, example, Question(Goal.PROVE))
    verdict = Status.SAT if example.tilings else Status.UNSAT
    assert answer.result.status in ({Status.UNKNOWN, verdict} if may_not_know(spec) else {verdict}), example
    assert example.tilings.issuperset(map(as_tiling, answer.solutions)), example


def agree_on_optimising(spec: str, example: Example) -> None:
    if is_refused(spec, Goal.OPTIMISE) or is_anchored(spec):
        return
    tiles = example.instance.tiles
    weight_of = {tile.name: (3, -2, 1)[rank % 3] for rank, tile in enumerate(example.instance.distinct_tiles)}
    names = {example.instance.variants(tile)[0]: tile.name for tile in example.instance.distinct_tiles}
    weighed = tuple(replace(tile, weight=weight_of[names[example.instance.variants(tile)[0]]]) for tile in tiles)
    answer = solve(replace(example.instance, tiles=weighed), spec, Question(Goal.OPTIMISE))
    weights = [sum(weight_of[name] for name, _ in tiling) for tiling in example.tilings]
    assert answer.result.status is (Status.SAT if weights else Status.UNSAT), example
    assert answer.result.stop is Stop.DONE, example
    assert answer.result.value == max(weights, default=None), example
    for solution in answer.solutions[-1:]:
        assert as_tiling(solution) in example.tilings, example
        assert sum(weight_of[placement.tile] for placement in solution) == max(weights), example
    if weights:
        assert answer.result.bound == max(weights), example
        assert answer.solutions, example


def gives_up(spec: str, answer: TilingAnswer) -> bool:
    """Whether the answer is that a search which is not complete has ended without one."""
    return not parse_spec(spec).complete and answer.result.stop is Stop.UNDECIDED


def may_not_know(spec: str) -> bool:
    """Whether proofs come from the prover, which has no other search to fall back upon."""
    return parse_spec(spec).name in ("auto", *(backend.name for backend in PROVERS))


def list_some(spec: str, instance: Instance, number: int) -> list[object]:
    return list(map(as_tiling, solve(instance, spec, Question(Goal.ENUMERATE, Limits(solutions=number))).solutions))


def is_refused(spec: str, goal: Goal) -> bool:
    return parse_spec(spec).refusal(Question(goal)) is not None


def is_anchored(spec: str) -> bool:
    """Whether only tilings up to symmetry are found, so that there may be no others to count or list."""
    return parse_spec(spec).anchor != "off"


@pytest.mark.parametrize("spec", specs_of(SEARCHES))
def test_the_tilings_are_those_of_the_brute_force(spec: str, drawn: tuple[Example, ...]) -> None:
    for example in drawn:
        agree_on_deciding(spec, example)
        agree_on_counting(spec, example)
        agree_on_enumerating(spec, example)
        agree_on_the_rest(spec, example)
    for example in drawn[:FEW]:
        agree_on_optimising(spec, example)


@pytest.mark.parametrize("backend", SEARCHES, ids=lambda backend: backend.name)
def test_so_they_are_with_any_two_options(backend: type[Backend], drawn: tuple[Example, ...], times: float) -> None:
    some = max(1, round(SOME * min(times, 1)))
    for number, spec in enumerate(pairs(backend)):
        for step in range(some):
            example = drawn[(number * some + step) % len(drawn)]
            (agree_on_deciding if is_refused(spec, Goal.ENUMERATE) else agree_on_enumerating)(spec, example)


@pytest.mark.long
@pytest.mark.parametrize("spec", specs_of(ENGINES))
def test_so_they_are_from_engines(spec: str, drawn: tuple[Example, ...]) -> None:
    fit = [example for example in drawn if len(example.tilings) <= MOST_OF_AN_ENGINE]
    # Not the same for all of them.
    start = specs_of(ENGINES).index(spec) * FEW
    for step in range(FEW):
        example = fit[(start + step) % len(fit)]
        if step == 0 or is_refused(spec, Goal.ENUMERATE) or is_anchored(spec):
            agree_on_deciding(spec, example)
        agree_on_enumerating(spec, example)
        if step == 0:
            agree_on_the_rest(spec, example)
            agree_on_optimising(spec, example)


@pytest.mark.parametrize("spec", specs_of(PROVERS))
def test_nothing_is_proved_impossible_that_the_brute_force_finds(spec: str, drawn: tuple[Example, ...]) -> None:
    if is_refused(spec, Goal.DECIDE):
        return
    for example in drawn:
        answer = ask(spec, example)
        assert answer.result.status in {Status.UNKNOWN} | ({Status.UNSAT} if not example.tilings else set()), example
        assert ask(spec, example, Question(Goal.PROVE)).result.certificate == answer.result.certificate, example


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


@pytest.mark.parametrize("backend", SEARCHES, ids=lambda backend: backend.name)
@settings(max_examples=25)
@given(small, st.data(), st.integers(1, 4))
def test_whatever_is_drawn_the_tilings_are_those_of_the_brute_force(
    backend: type[Backend], instance: Instance, data: st.DataObject, limit: int
) -> None:
    tilings = allowed_tilings(instance)
    assume(len(tilings) <= 100)
    example = Example(instance, tilings, len(orbits(instance)))
    spec = data.draw(st.sampled_from(singles(backend) + pairs(backend)))
    agree_on_deciding(spec, example)
    agree_on_counting(spec, example)
    agree_on_enumerating(spec, example)
    agree_on_the_rest(spec, example)
    if not is_refused(spec, Goal.ENUMERATE) and not is_anchored(spec):
        some = list_some(spec, instance, limit)
        assert len(some) == min(limit, len(example.tilings))


@pytest.mark.parametrize("backend", COUNTING, ids=lambda backend: backend.name)
@settings(max_examples=25)
@given(small.filter(lambda instance: not instance.constraints), st.data())
def test_counts_the_same_put_differently(backend: type[Backend], instance: Instance, data: st.DataObject) -> None:
    spec = data.draw(st.sampled_from(singles(backend)).filter(lambda spec: not is_refused(spec, Goal.COUNT)))
    question = SYMMETRIC if is_anchored(spec) else COUNT
    turn = data.draw(st.sampled_from(isometries(instance.dimension, reflections=False)))
    offset = data.draw(st.tuples(*[st.integers(-9, 9)] * instance.dimension))

    def turned(shape: Shape) -> Shape:
        return move(frozenset(map(turn, shape)), offset)

    board = turned(instance.board)
    assume(dimension(flatten(board)) == instance.dimension)  # turned flat, it would be a plane board
    tiles = tuple(data.draw(st.permutations(instance.tiles)))
    groups = tuple(OpenGroup(each.name, turned(each.cells)) for each in instance.groups)
    other = replace(instance, board=board, optional=turned(instance.optional), groups=groups, tiles=tiles)
    assert solve(other, spec, question).result.count == solve(instance, spec, question).result.count


@pytest.mark.parametrize("backend", SEARCHES, ids=lambda backend: backend.name)
def test_answers_the_same_twice(backend: type[Backend], drawn: tuple[Example, ...]) -> None:
    def listed(spec: str, example: Example) -> TilingAnswer:
        return solve(example.instance, spec, Question(Goal.ENUMERATE, Limits(solutions=10)))

    for spec in singles(backend):
        if not is_refused(spec, Goal.ENUMERATE) and not is_anchored(spec):
            for example in drawn[:FEW]:
                first, second = (listed(spec, example) for _ in range(2))
                assert first.solutions == second.solutions, spec
                assert first.result.nodes == second.result.nodes, spec
