"""`tiler apart`: take a tiling apart by straight moves, if that is possible."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tiler.amounts import counted
from tiler.apps.puzzles.apart.disassembly import level_of
from tiler.cli.shared import arguments, declared, output
from tiler.errors import BadOption, InputError
from tiler.question.parameters import COMMON, WORDS, declare, parameter

if TYPE_CHECKING:
    from tiler.api.monitoring import Following
    from tiler.apps.puzzles.answers.disassembly import TakenApart
    from tiler.model.instance import Instance
    from tiler.model.tile import Placements

HELP = "take a tiling apart with the fewest straight moves"
_DESCRIPTION = """\
Look for a tiling with pieces that can be taken apart, and print the moves. A move takes one
piece, or several together, straight along an axis; the space around the tiling is empty. No piece
is turned on its way.
"""
EXAMPLES = """\
  tiler apart 3x3x3 1:soma
  tiler apart burr.txt -o burr.html
  tiler apart burr.txt --all
  tiler apart burr.txt -o burr.gif
  tiler solve 6x3 4O 2 -o tilings.json --all && tiler apart 6x3 4O 2 --tilings tilings.json
  tiler apart puzzle.xmpuzzle --stored
"""
_FORMS = ("text", "json", *output.PAGES, "gif")
_MAX_BYTES = 1 << 30


_OPTIONS = declare(
    tilings=parameter(
        None,
        "take apart the tilings in a file that tiler solve --format json wrote",
        WORDS,
        metavar="FILE",
        excludes="given",
    ),
    stored=parameter(False, "take apart the solutions stored in a file of BurrTools, and compare", excludes="given"),
    all=parameter(False, "look at every tiling: say how many come apart, and print the moves of one of the highest level"),
)


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = _DESCRIPTION
    arguments.add_problem(parser)
    declared.add(parser, _OPTIONS)
    declared.add(parser, COMMON, "seconds", "memory", "threads")
    output.add(
        parser, "write a page that shows move after move (.html), a moving picture (.gif), or a picture of all moves", *_FORMS
    )


@dataclass
class _Seen:
    """The results for the tilings that were looked at so far."""

    looked_at: int = 0
    levels: Counter[tuple[int, ...]] = field(default_factory=Counter)
    wrong: int = 0  #: stored solutions that contradict the result: they do not come apart, or have fewer moves
    best: TakenApart | None = None  #: the tiling with the highest level among those that come apart
    stuck: TakenApart | None = None  #: the first that does not come apart


def run(args: argparse.Namespace) -> int:
    from tiler.api.monitoring import following
    from tiler.apps.puzzles.apart.of_tiling import refusal
    from tiler.question.question import Limits

    form = output.format_of(args.format, args.output, _FORMS)
    instance = arguments.read_problem(args)
    why = refusal(instance)
    if why:
        raise BadOption(why)
    with (
        output.opened(args.output, even_empty=form in ("text", "json")) as out,
        following(True, Limits(args.seconds, args.memory)) as follow,
    ):
        seen = _taken_apart(args, instance, follow)
        follow.ticker.clear()
        if form == "json":
            print(json.dumps(_summary(instance, seen, follow)), file=out)
        elif form == "text":
            if seen.best:
                print(seen.best.picture(coloured=output.is_coloured(out), width=output.width_of(out)), end="\n\n", file=out)
            print(_said(args, seen, follow), file=out)
        elif seen.best:
            output.put(out, seen.best.forms(), form)
        elif out is sys.stdout:
            print(f"tiler: {_verdict(seen, follow)}; nothing to draw", file=sys.stderr)
    if out is not sys.stdout:
        print(_said(args, seen, follow, moves=False))
    arguments.say_turning(instance)
    return arguments.ended(follow, known=True, quiet=True) or (4 if seen.wrong else 0)


def _taken_apart(args: argparse.Namespace, instance: Instance, follow: Following) -> _Seen:
    """Take tilings apart one after the other, to the first that comes apart, or all of them."""
    from tiler.apps.puzzles.answers.disassembly import TakenApart
    from tiler.apps.puzzles.apart.of_tiling import disassembly_of
    from tiler.process.cancellation import Stopped

    seen = _Seen()
    try:
        with closing(_tilings(args, instance, follow)) as every:
            for tiling, stored in every:
                # Most tilings do not come apart; that is found out faster than the fewest moves.
                found = disassembly_of(instance, tiling, shortest=False, check_stop=follow.check_stop)
                if found.comes_apart:
                    found = disassembly_of(instance, tiling, check_stop=follow.check_stop)
                taken = TakenApart(instance, tiling, found)
                seen.looked_at += 1
                if args.stored:
                    seen.wrong += _compare(seen.looked_at, taken, stored, follow)
                if not found.comes_apart:
                    seen.stuck = seen.stuck or taken
                    continue
                seen.levels[found.levels] += 1
                if seen.best is None or found.levels > seen.best.levels:
                    seen.best = taken
                if not args.all and not args.stored:
                    break
    except Stopped:
        pass
    return seen


def _tilings(
    args: argparse.Namespace, instance: Instance, follow: Following
) -> Generator[tuple[Placements, tuple[int, ...] | None], None, None]:
    """The tilings to be taken apart, with the moves that a file stores for them: the tilings in a file, or all up to symmetry."""
    from tiler import formats
    from tiler.model.verify import Verifier

    if args.stored or args.tilings:
        verifier = Verifier(instance)
        given = _stored(args, instance) if args.stored else _in_file(args.tilings, formats.load(args.tilings, _MAX_BYTES))
        for where, tiling, levels in given:
            wrong = verifier.error_in(tiling)
            if wrong:
                raise InputError(f"{where}: no tiling of this problem: {wrong}")
            yield tiling, levels
        return
    from tiler.ask.solve import each_tiling
    from tiler.question.question import Goal, Limits, Question

    limits = Limits(threads=arguments.threads_of(args))  # The other limits are for all searches together.
    with closing(
        each_tiling(instance, question=Question(Goal.ENUMERATE, limits, up_to_symmetry=True), on_tick=follow.tick)
    ) as found:
        for tiling in found:
            yield tiling, None


def _in_file(path: str, content: str) -> Iterator[tuple[str, Placements, None]]:
    from tiler.formats import tilings

    for line, placements in tilings.read(content, path):
        yield f"{path}, line {line}", tuple(placements), None


def _stored(args: argparse.Namespace, instance: Instance) -> Iterator[tuple[str, Placements, tuple[int, ...] | None]]:
    from tiler import formats

    if len(args.problem) > 1:
        raise BadOption("--stored: solutions are stored in files of BurrTools, and this is no file")
    path = args.problem[0]
    for number, solution in enumerate(formats.stored(path, instance), 1):
        yield f"{path}, solution {number}", solution.tiling, solution.levels


def _compare(number: int, taken: TakenApart, stored: tuple[int, ...] | None, follow: Following) -> bool:
    """Print the stored moves of a solution beside those that were found, and return whether they contradict each other."""
    follow.ticker.clear()
    if stored is None:
        print(f"{number}: {taken.verdict}; no moves are stored")
        return False
    line = f"{number}: stored {level_of(stored)}, {counted(sum(stored), 'move')}; {taken.verdict}"
    # In both, the first separation takes the fewest moves; later ones depend on which separation came first.
    wrong = not taken.comes_apart or taken.levels[:1] > stored[:1]
    print(f"{line}: wrong" if wrong else line)
    return wrong


def _ended(follow: Following) -> str:
    return f" ({follow.reason})" if follow.stop is not None else ""


def _verdict(seen: _Seen, follow: Following) -> str:
    """The verdict about all tilings, on one line."""
    ended = _ended(follow)
    if not seen.looked_at:
        return f"unknown{ended}" if ended else "unsat: there is no tiling"
    if seen.best is not None:
        return seen.best.verdict + ended
    if ended:
        return f"unknown: none of {counted(seen.looked_at, 'tiling')} comes apart so far{ended}"
    if seen.looked_at > 1:
        return f"none of the {seen.looked_at:,} tilings comes apart"
    return seen.stuck.verdict if seen.stuck else ""


def _overview(args: argparse.Namespace, seen: _Seen, follow: Following) -> list[str]:
    """A sentence: how many tilings come apart, and with which levels, if several were looked at."""
    if not (args.all or args.stored) or not seen.looked_at:
        return []
    apart = sum(seen.levels.values())
    head = f"{counted(seen.looked_at, 'tiling')} looked at, {apart} {'comes' if apart == 1 else 'come'} apart{_ended(follow)}"
    levels = [f"{number:>7}  level {level_of(levels)}" for levels, number in sorted(seen.levels.items(), reverse=True)]
    return [head, *levels, ""]


def _said(args: argparse.Namespace, seen: _Seen, follow: Following, *, moves: bool = True) -> str:
    """The results as text, with every move or without."""
    overview = _overview(args, seen, follow)
    if overview and not seen.best and seen.looked_at > 1:
        return overview[0]  # Another line says that none comes apart.
    return "\n".join([*overview, str(seen.best) if seen.best and moves else _verdict(seen, follow)])


def _summary(instance: Instance, seen: _Seen, follow: Following) -> dict[str, Any]:
    """The results as data for programs."""
    from tiler.apps.puzzles.answers.disassembly import SCHEMA
    from tiler.question.result import Stop

    best = seen.best.summary() if seen.best else {}
    levels = [{"levels": list(level), "tilings": number} for level, number in sorted(seen.levels.items(), reverse=True)]
    about = {"schema": SCHEMA, "instance": instance.name, "digest": instance.digest, "stop": follow.stop or Stop.DONE}
    return {**best, **about, "comes_apart": bool(seen.best), "looked_at": seen.looked_at, "found": levels}
