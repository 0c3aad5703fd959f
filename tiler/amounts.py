"""Write amounts for people: durations, numbers of things, rounded numbers. Durations are read in question/quantities.py."""

from __future__ import annotations

_UNITS = (
    (31_557_600.0, "years"),
    (86_400.0, "days"),
    (3600.0, "h"),
    (60.0, "min"),
    (1.0, "s"),
    (1e-3, "ms"),
    (1e-6, "µs"),
    (1e-9, "ns"),
)


def duration(seconds: float, figures: int = 3) -> str:
    """Seconds in the largest unit that suits them, with `figures` significant figures; from two minutes on seconds are too small
    a unit.

    >>> [duration(seconds) for seconds in (0.0000042, 0.0123, 1.5, 75, 7300, 1e6)]
    ['4.20 µs', '12.3 ms', '1.50 s', '75 s', '2.03 h', '11.6 days']
    >>> [duration(seconds, 2) for seconds in (0.034, 3.21, 75, 130, 7300)]
    ['34 ms', '3.2 s', '75 s', '2.2 min', '2.0 h']
    """
    if not seconds:
        return "0 s"
    scaled = [(float(f"{seconds / size:.{figures}g}"), unit, size) for size, unit in _UNITS]
    # After rounding, or 0.9996 s would be a thousand milliseconds.
    value, unit, _ = next((each for each in scaled if each[0] >= (2 if each[2] > 1 else 1)), scaled[-1])
    if value >= 10 ** (figures - 1) or (value >= 10 and value == int(value)):
        return f"{rounded(value, figures)} {unit}"
    whole = len(str(int(value)))
    return f"{value:.{figures - whole}f} {unit}"


def rounded(number: float, figures: int = 3) -> str:
    """A whole number with only `figures` significant figures.

    >>> rounded(1234567), rounded(0.7), rounded(1.5e20)
    ('1,230,000', '1', '1.50e+20')
    """
    return f"{number:.{figures - 1}e}" if number >= 1e15 else f"{float(f'{number:.{figures}g}'):,.0f}"


def storage(size: float) -> str:
    """Bytes in the largest unit that suits them.

    >>> [storage(size) for size in (12, 340_000, 12_345_678, 9_996_000_000)]
    ['0 MB', '0.3 MB', '12 MB', '10.0 GB']
    """
    if size >= 10**9:
        return f"{size / 10**9:.3g} GB" if size < 9_950_000_000 else f"{size / 10**9:,.1f} GB"
    return f"{size / 10**6:.1f} MB" if 50_000 <= size < 9_950_000 else f"{size / 10**6:.0f} MB"


def nor_others(number: int) -> str:
    """The end of a sentence that denies something of one thing, and of some others too.

    >>> nor_others(0), nor_others(1), nor_others(3)
    ('', ', nor is 1 other', ', nor are 3 others')
    """
    return f", nor {'is' if number == 1 else 'are'} {counted(number, 'other')}" if number else ""


def counted(count: int, noun: str) -> str:
    """A number of things.

    >>> counted(1, "run"), counted(2000, "run")
    ('1 run', '2,000 runs')
    """
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
