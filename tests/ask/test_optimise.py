"""The heaviest tiling: its weight against those of all tilings by brute force."""

from __future__ import annotations

from dataclasses import replace

import pytest
from brute_force import tilings

from tiler import formats
from tiler.ask.solve import solve
from tiler.errors import BadOption, InputError
from tiler.model.expected import Status
from tiler.model.instance import Instance
from tiler.question.question import Goal, Question
from tiler.question.result import Stop

BEST = Question(Goal.OPTIMISE)
SPECS = ["auto", "cpsat", "ilp", "ilp:engine=highs"]


def weighed(shapes: list[str], *weights: int) -> Instance:
    instance = formats.inline(shapes)
    tiles = tuple(replace(tile, weight=weight) for tile, weight in zip(instance.tiles, weights, strict=True))
    return replace(instance, tiles=tiles)


@pytest.mark.long
@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize(
    ("shapes", "weights"),
    [
        (["4x3", "3L", "2", "1"], (5, -2, 1)),
        (["4x3", "2:3L", "1..:2", "1"], (0, -3, -1)),
        (["xxo/xxx/oxx", "4T", "2", "3I"], (7, 2, 4)),
        (["2x2x3", "2", "3L"], (1000003, 1500004)),
    ],
)
def test_no_tiling_is_heavier(spec: str, shapes: list[str], weights: tuple[int, ...]) -> None:
    instance = weighed(shapes, *weights)
    weight_of = {tile.name: tile.weight for tile in instance.tiles}
    best = max(sum(weight_of[name] for name, _ in tiling) for tiling in tilings(instance))
    answer = solve(instance, spec, BEST)
    assert (answer.result.status, answer.result.stop) == (Status.SAT, Stop.DONE)
    assert (answer.result.value, answer.result.bound) == (best, best)
    (tiling,) = answer.solutions
    assert sum(weight_of[placement.tile] for placement in tiling) == best


@pytest.mark.parametrize("spec", SPECS)
def test_where_there_is_none(spec: str) -> None:
    result = solve(weighed(["3x3", "2"], 1), spec, BEST).result
    assert (result.status, result.stop, result.value, result.bound) == (Status.UNSAT, Stop.DONE, None, None)


def test_who_cannot_says_who_can() -> None:
    with pytest.raises(BadOption, match="dlx: it cannot optimise; these can optimise: auto, cpsat, ilp"):
        solve(weighed(["4x3", "2"], 1), "dlx", BEST)
    with pytest.raises(BadOption, match="model=geometric has no weights"):
        solve(weighed(["4x3", "2"], 1), "cpsat:model=geometric", BEST)


def test_congruent_tiles_weigh_the_same() -> None:
    with pytest.raises(InputError, match="are congruent, but weigh 1 and 2"):
        weighed(["4x4", "2:2", "1x2"], 1, 2)
