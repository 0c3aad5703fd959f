"""Verify solutions alone and in blocks, which must come to the same."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tiler.model.instance import Instance
from tiler.model.tile import Placement
from tiler.model.verify import Verifier
from tiler.model.verify_blocks import BlockVerifier, _holds, error_in_large


def error_in(instance: Instance, solution: Sequence[Placement]) -> str | None:
    """What a verifier says about a solution; blocks with it say the same."""
    alone = Verifier(instance).error_in(solution)
    blocks = BlockVerifier(instance, lambda numbers: [solution[number] for number in numbers])
    row = np.arange(len(solution), dtype=np.int32)
    longer = np.full((1, len(row) + 2), -1, np.int32)
    longer[0, : len(row)] = row
    for block in (row[None], np.stack([row, row]), longer):
        assert blocks.error_in(block) == alone
    if instance.crossing and not instance.wrap:
        # Right solutions are not checked one by one.
        assert blocks._suspects(row[None]).tolist() == [alone is not None]
    assert error_in_large(Verifier(instance), instance, solution) == alone
    if instance.crossing and instance.is_plain:
        assert _holds(Verifier(instance), instance, solution) == (alone is None)
    return alone
