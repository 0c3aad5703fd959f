"""Durations and numbers in words: every unit, its borders, and how many figures there are."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tiler.amounts import counted, duration, rounded

MINUTE, HOUR, DAY, YEAR = 60.0, 3600.0, 86_400.0, 31_557_600.0


@pytest.mark.parametrize(
    ("seconds", "three", "two"),
    [
        (0.0, "0 s", "0 s"),
        (3.2e-12, "0.00 ns", "0.0 ns"),
        (4.2e-8, "42 ns", "42 ns"),
        (1e-3, "1.00 ms", "1.0 ms"),
        (0.01, "10 ms", "10 ms"),
        (0.9994, "999 ms", "1.0 s"),
        (0.9996, "1.00 s", "1.0 s"),
        (12.34, "12.3 s", "12 s"),
        (119.4, "119 s", "2.0 min"),
        (2 * MINUTE, "2.00 min", "2.0 min"),
        (119.4 * MINUTE, "119 min", "2.0 h"),
        (36 * HOUR, "36 h", "36 h"),
        (47.99 * HOUR, "2.00 days", "2.0 days"),
        (400 * DAY, "400 days", "400 days"),
        (2 * YEAR, "2.00 years", "2.0 years"),
        (1234 * YEAR, "1,230 years", "1,200 years"),
        (1e18 * YEAR, "1.00e+18 years", "1.0e+18 years"),
    ],
)
def test_durations(seconds: float, three: str, two: str) -> None:
    assert (duration(seconds), duration(seconds, 2)) == (three, two)


@given(st.floats(1e-9, 1e12))
def test_a_duration_says_what_it_is_of(seconds: float) -> None:
    value, unit = duration(seconds).split()
    sizes = {"ns": 1e-9, "µs": 1e-6, "ms": 1e-3, "s": 1.0, "min": MINUTE, "h": HOUR, "days": DAY, "years": YEAR}
    assert float(value.replace(",", "")) * sizes[unit] == pytest.approx(seconds, rel=0.0051)


def test_numbers() -> None:
    assert [rounded(number) for number in (0.4, 999.4, 123_456, 5e15)] == ["0", "999", "123,000", "5.00e+15"]
    assert [counted(number, "cell") for number in (0, 1, 2, 12_000)] == ["0 cells", "1 cell", "2 cells", "12,000 cells"]
