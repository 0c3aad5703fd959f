"""`tiler series`: how many tilings, for every length of a rectangle?"""

from __future__ import annotations

import argparse
import json
import re
import textwrap
from typing import TYPE_CHECKING

from tiler.cli import asking
from tiler.errors import InputError
from tiler.question.values import positive

if TYPE_CHECKING:
    from tiler.ask.series import Series

HELP = "count the tilings of rectangles of one width and any length"
EXAMPLES = """\
  tiler series 3xn 2
  tiler series 4xn 2 3I --terms 20
  tiler series 5xn 3L 1 --format json
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("board", metavar="Wxn", help="W columns, and n rows for every n")
    parser.add_argument("tiles", nargs="+", metavar="TILE", help="shapes, of which any number may be used")
    asking.add_reflections(parser)
    parser.add_argument("--terms", metavar="N", type=positive, default=12, help="how many to print (default: %(default)s)")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="default: %(default)s")


def run(args: argparse.Namespace) -> int:
    from tiler.ask.series import series

    match = re.fullmatch(r"([1-9]\d?)xn", args.board)
    if not match:
        raise InputError(f"{args.board!r} is no board of any length; write 4xn for one of 4 columns")
    found = series(int(match[1]), args.tiles, reflections=args.reflections, least=args.terms)
    print(json.dumps(found.summary()) if args.format == "json" else in_words(found, args.terms))
    return 0


def in_words(found: Series, terms: int) -> str:
    """Terms, recurrence and generating function, in lines of a terminal."""
    order = len(found.recurrence)
    lines = [_wrapped("terms       ", ", ".join(map(str, found.terms[:terms])) + ", ...")]
    if not order:
        lines.append(f"recurrence  none found in {len(found.terms):,} terms")
        return "\n".join(lines)
    named = [(c, f"a(n-{i})") for i, c in enumerate(found.recurrence, 1)]
    lines.append(_wrapped("recurrence  ", f"a(n) = {_sum(named)}"))
    above = [(c, _power(i)) for i, c in enumerate(found.numerator)]
    below = [(1, "1"), *((-c, _power(i)) for i, c in enumerate(found.recurrence, 1))]
    lines.append(_wrapped("generating  ", f"({_sum(above)}) / ({_sum(below)})"))
    if found.is_proved:
        why = f"proved: order {order}, as {found.states:,} states at the ends of rows show"
    else:
        why = f"not proved: order {order} holds for the {len(found.terms):,} terms that were counted"
    return "\n".join([*lines, _wrapped("", why)])


def _power(exponent: int) -> str:
    return "1" if not exponent else "x" if exponent == 1 else f"x^{exponent}"


def _sum(terms: list[tuple[int, str]]) -> str:
    """Terms with their factors; those with 0 are left out.

    >>> _sum([(1, "1"), (-3, "x"), (0, "x^2"), (2, "x^3")])
    '1 - 3 x + 2 x^3'
    """
    text = ""
    for factor, name in terms:
        if factor:
            size = abs(factor)
            shown = str(size) if name == "1" else name if size == 1 else f"{size} {name}"
            text += (" - " if factor < 0 else " + ") + shown if text else ("-" if factor < 0 else "") + shown
    return text or "0"


def _wrapped(head: str, text: str) -> str:
    return textwrap.fill(text, 79, initial_indent=head, subsequent_indent=" " * len(head), break_long_words=False)
