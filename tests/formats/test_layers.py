"""Boards in space that have one layer stay there: pieces may be turned over, and cells have three numbers."""

from __future__ import annotations

import brute_force
import pytest

from tiler import formats
from tiler.ask.solve import solve
from tiler.formats import json, text
from tiler.question.question import Goal, Question

_CELLS = "[[4,0,0],[4,0,1],[4,1,0],[4,1,1],[4,2,0],[4,2,1],[4,3,0],[4,3,1]]"
#: By how it is said, with the number of tilings.
LAYERS = {
    "cells": (f'{{"lattice": "cubic", "board": {_CELLS}, "tiles": ["4J"]}}', 2),
    "cells without a lattice": (f'{{"board": {_CELLS}, "tiles": ["4J"]}}', 2),
    "a shape in JSON": ('{"lattice": "cubic", "board": "2x4", "optional": [[0, 0]], "tiles": ["4J"]}', 2),
    "a box in JSON": ('{"board": "2x4x1", "optional": [[0, 0, 0]], "tiles": ["4J"]}', 2),
    "a map": ("# lattice: cubic\n\nxx\nxx\nxx\nxx\n\n4J\n", 2),
    "a map elsewhere": ("# lattice: cubic\n# origin: 3,1,2\n\nxx\nxx\nxx\nxo\n\n4J\n1\n", 17),
    "a box": ("2x4x1\n\n4J\n", 2),
    "a wrapped box": ("# lattice: cubic\n# wrap: columns\n\n2x4\n\n4J\n", None),
    "prisms": (
        '{"lattice": "hexagonal-prisms", "board": "hex:2", "tiles": [{"cells": [[0,0],[0,1]]}, {"cells": [[0,0]],"at_most":1}]}',
        None,
    ),
}


@pytest.mark.parametrize("said", LAYERS)
def test_one_layer_stays_in_space(said: str) -> None:
    content, count = LAYERS[said]
    instance = formats.parse(content)
    assert (instance.dimension, instance.is_layer) == (3, True)
    assert {len(cell) for cell in instance.board | instance.optional} == {3}
    counted = solve(instance, question=Question(Goal.COUNT)).result.count
    assert counted == len(brute_force.allowed_tilings(instance)) > 0
    assert count in (None, counted)
    assert all(len(cell) == 3 for placed in solve(instance).solutions[0] for cell in placed.cells)
    for again in (json.parse(json.write(instance)), text.parse(text.write(instance))):
        assert again == instance
        assert again.digest == instance.digest


def test_on_the_command_line() -> None:
    flat, space = (formats.inline(["2x4", "4J"], lattice=lattice) for lattice in ("square", "cubic"))
    assert (flat.dimension, space.dimension) == (2, 3)
    assert space == formats.inline(["2x4x1", "4J"])
    found = [solve(each, question=Question(Goal.COUNT)).result.count for each in (flat, space)]
    assert found == [1, 2]
