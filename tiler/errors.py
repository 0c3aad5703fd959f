"""Define the errors of Tiler, each a line that says what to do.

Every error that Tiler raises on purpose is a `TilerError`; the command line prints its text after `tiler: ` and exits with
`exit_code`. An answer ("no tiling", "out of time") is never an error: see question.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any


class TilerError(Exception):
    """One line that says what is wrong and what would be right."""

    exit_code = 1


class InputError(TilerError):
    """Input that cannot be understood: `text` says why, `source` and `line` (from 1) where, each None if unknown."""

    exit_code = 2

    def __init__(self, text: str, source: str | None = None, line: int | None = None) -> None:
        super().__init__(text, source, line)
        self.text, self.source, self.line = text, source, line

    def __str__(self) -> str:
        place = [str(part) for part in (self.source, self.line) if part is not None]
        return ":".join(place) + (": " if place else "") + self.text

    def at(self, source: str | None, line: int | None = None) -> InputError:
        """The same error with its place, where it did not know it yet."""
        return type(self)(self.text, self.source or source, self.line or line)


@contextmanager
def located(source: str | None = None, line: int | None = None) -> Iterator[None]:
    """Give an InputError of a `with` block its place, where it does not know it yet."""
    try:
        yield
    except InputError as error:
        raise error.at(source, line) from None


class SpaceTileError(InputError):
    """A tile of several layers for a board of one."""


class UnknownBackend(TilerError):  # noqa: N818
    """A solver spec that names no backend."""

    exit_code = 2

    def __init__(self, name: str, names: Iterable[str]) -> None:
        choices = sorted(names)
        super().__init__(f"unknown solver {name!r}{suggest(name, choices)}; there are {', '.join(choices)}")


class BadOption(TilerError):  # noqa: N818
    """A solver spec, option or limit that does not hold water."""

    exit_code = 2


class Refused(BadOption):
    """A backend was asked what it cannot answer."""


class MissingDependency(TilerError):  # noqa: N818
    """A backend whose engine is not installed."""

    exit_code = 2


class BackendError(TilerError):
    """An engine failed: its name, exit status and last line."""


class NoMachineCode(BackendError):  # noqa: N818
    """A kernel has no machine code here, and nothing can compile it."""


class BadSolution(TilerError):  # noqa: N818
    """The verifier refused an answer: a bug in Tiler or in an engine, always loud."""

    exit_code = 4


class BadArgument(TilerError, TypeError):  # noqa: N818
    """A function was called with what it does not take: names the argument, and what would be right."""

    exit_code = 2


class Unfinished(TilerError):  # noqa: N818
    """A limit ended a search whose answer is a number or a list: `found` is what was found until then, `stop` which limit."""

    exit_code = 3

    def __init__(self, text: str, found: int, stop: str) -> None:
        super().__init__(text, found, stop)
        self.text, self.found, self.stop = text, found, stop

    def __str__(self) -> str:
        return self.text


class Interrupted(KeyboardInterrupt):
    """Ctrl-C ended a search that was asked for from Python. `answer` is what was known by then: a `tiler.Answer`; of a list how
    many it had; of an estimate, and of several searches together, what they have by then, or None. A second Ctrl-C raises
    KeyboardInterrupt at once."""

    def __init__(self, text: str, answer: Any) -> None:
        super().__init__(text, answer)
        self.text, self.answer = text, answer

    def __str__(self) -> str:
        return self.text


def nearest(word: str, choices: Iterable[str], *, cutoff: float = 0.5) -> list[str]:
    """Up to three of the choices that look like the word, best first; at `cutoff` 1 only the word itself.

    >>> nearest("fial", ["dlx", "fila"]), nearest("3K", ["3I", "3L", "4T"])
    (['fila'], ['3I', '3L'])
    """
    import difflib  # Few commands end in an error.

    def likeness(choice: str) -> float:
        return difflib.SequenceMatcher(None, word.casefold()[:80], choice.casefold()).ratio()

    ranked = sorted((-likeness(choice), choice) for choice in set(choices))
    return [choice for unlike, choice in ranked[:3] if unlike <= -cutoff]


def suggest(word: str, choices: Iterable[str]) -> str:
    """`nearest` as the end of a sentence: `; nearest: 3I, 3L`, or nothing."""
    found = nearest(word, choices)
    return f"; nearest: {', '.join(found)}" if found else ""
