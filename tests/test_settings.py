"""How many examples are drawn, and whether other ones each time."""

from __future__ import annotations

import pytest
from conftest import scale_examples
from hypothesis import given, settings
from hypothesis import strategies as st


@pytest.mark.parametrize(("asked", "times", "number"), [(40, 0.2, 8), (40, 10, 400), (40, 0.01, 5), (3, 0.5, 3)])
def test_examples_are_scaled_where_a_test_says_how_many(asked: int, times: float, number: int) -> None:
    seen: list[int] = []

    @settings(max_examples=asked, database=None)
    @given(st.integers())
    def check(drawn: int) -> None:
        seen.append(drawn)

    scale_examples(check, times)
    check()
    assert len(seen) == number


def test_only_by_night_other_examples_are_drawn_each_time() -> None:
    assert settings.get_profile("default").derandomize
    assert not settings.get_profile("nightly").derandomize
