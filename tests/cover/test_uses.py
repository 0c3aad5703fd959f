"""Numbers that counts of solutions are summed up by."""

from __future__ import annotations

from math import lcm, prod

import pytest

from tiler.cover.diagram_operations import _moduli


@pytest.mark.parametrize("bound", [0, 1 << 63, (1 << 64) - 1, 1 << 64, (1 << 64) * ((1 << 31) - 1), 10**40, 10**300])
def test_moduli_tell_all_numbers_up_to_a_bound_apart(bound: int) -> None:
    moduli = _moduli(bound)
    assert prod(moduli) > bound
    assert lcm(*moduli) == prod(moduli)
