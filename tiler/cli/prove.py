"""`tiler prove`: why is there no tiling?"""

from __future__ import annotations

import argparse
import json
import os
import sys
import textwrap
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tiler import printable
from tiler.cli import asking, output
from tiler.errors import BadOption, BadSolution
from tiler.model.expected import Status
from tiler.process import files
from tiler.question.certificate import Certificate, Placed
from tiler.question.question import Goal, Question
from tiler.question.result import Stop
from tiler.question.values import megabytes, seconds

if TYPE_CHECKING:
    from tiler.ask.solve import Answer
    from tiler.backends.base import Backend
    from tiler.backends.coloring.picture import ProofPicture
    from tiler.cover.remainder import Remainder

HELP = "prove that a board cannot be tiled: by a colouring, or by weights and cases"
EXAMPLES = """\
  tiler prove problems/4L/10x10_u.txt
  tiler prove 10x10x10 1x1x4 -o bars.svg
  tiler prove problems/many-unique/5r-plus_u.txt -o certificate.json
  tiler prove problems/mixed/4Os-4T-06x06_u.txt --solver coloring:stages=area+lattice --signed
"""

_SIGNED = (
    "No colouring of the board can prove it, of whatever kind: there is a signed tiling, placements with factors that add up to "
    "1 on every cell{where}."
)
_FORMATS = {".svg": "svg", ".png": "png", ".json": "json", ".txt": "text"}


def configure(parser: argparse.ArgumentParser) -> None:
    asking.add_problem(parser)
    parser.add_argument("--solver", metavar="SPEC", default="coloring", help="stages and limits (default: %(default)s)")
    asking.add_load(parser)
    parser.add_argument("--time-limit", metavar="10s", type=seconds, help="stop after so long")
    parser.add_argument("--memory-limit", metavar="2G", type=megabytes, help="stop when the process takes more")
    parser.add_argument("--signed", action="store_true", help="where no colouring can prove it: show the signed tiling")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="what to print (default: %(default)s)")
    parser.add_argument(
        "-o",
        "--output",
        metavar="OUT",
        help="write the picture (.svg, .png), the certificate (.json) or the text (.txt) to a file",
    )


def run(args: argparse.Namespace) -> int:
    from tiler.backends.registry import parse_spec

    form = _FORMATS.get(Path(args.output).suffix.lower(), "") if args.output else ""
    if args.output is not None:
        _refuse_output(args.output, form)
    _refuse_unproving(parse_spec(args.solver))
    args.up_to_symmetry = args.stats = args.trace = False
    answer = asking.ask(args, asking.read_problem(args), Question(Goal.PROVE, asking.limits(args)))
    report = _Shown(answer)
    signed = report.signed() if args.signed else None
    if args.output:
        content = report.content(form, signed)
        if content is None:
            print(f"tiler: there is nothing to write: {output.left_alone(args.output)}", file=sys.stderr)
        else:
            files.write(args.output, content)
    if args.format == "json":
        print(json.dumps(report.summary(signed)))
    elif args.output and form != "text":
        print(report.verdict())
    else:
        print(report.text(signed, output.width_of(sys.stdout)))
    return asking.exit_status(answer)


def _refuse_unproving(backend: Backend) -> None:
    """BadOption if a solver is not one whose proofs this command can show, with those that are."""
    from tiler.backends.registry import able_to
    from tiler.backends.sat import Sat

    if isinstance(backend, Sat):
        raise BadOption("sat writes DRUP proofs, which other programs check: tiler solve ... --solver sat --proof FILE")
    able = [name for name in able_to(Goal.PROVE) if name != Sat.name]
    if Goal.PROVE not in backend.goals:
        raise BadOption(f"{backend.name}: it cannot prove; these can prove: {', '.join(able)}")


class _Shown:
    """An answer of the prover in words, pictures and JSON."""

    def __init__(self, answer: Answer) -> None:
        self.answer = answer
        self.instance = answer.instance
        proved = answer.result.certificate
        self.certificate = proved if isinstance(proved, Certificate) else None
        self.obstacle: list[int] | None = answer.result.stats.get("obstacle")

    def verdict(self) -> str:
        result = self.answer.result
        if result.status is Status.UNSAT:
            return "unsat: there is no tiling"
        if result.stop is Stop.UNDECIDED:
            return "unknown: no proof was found"
        return f"unknown ({asking.reason(self.answer)})"

    def text(self, signed: Mapping[Placed, int] | None, width: int) -> str:
        """The verdict, the sentence, and the picture, if there is one."""
        paragraphs = [self.verdict()]
        if self.certificate is not None:
            paragraphs[0] += "\n" + textwrap.fill(self._sentence, width or 80)
        shown = self._picture()
        if shown is not None:
            from tiler.backends.coloring import picture

            paragraphs.append(picture.as_text(shown, width))
        if self.obstacle is not None:
            paragraphs.append(textwrap.fill(_SIGNED.format(where=" (--signed shows it)" if signed is None else ""), width or 80))
        if signed is not None:
            paragraphs.append("\n".join(self._list(signed)))
        return "\n\n".join(filter(None, paragraphs))

    def content(self, form: str, signed: Mapping[Placed, int] | None) -> bytes | None:
        """What goes into a file, or None if there is no such thing."""
        if form == "text":
            return (self.text(signed, 80) + "\n").encode()
        if form == "json":
            if self.certificate is not None:
                return (json.dumps(self.certificate.to_json()) + "\n").encode()
            return (json.dumps(self._signed_json(signed)) + "\n").encode() if signed is not None else None
        shown = self._picture()
        if shown is None:
            return None
        from tiler.backends.coloring import picture

        sentence = self._sentence
        return picture.as_png(shown, sentence) if form == "png" else picture.as_svg(shown, sentence).encode()

    @property
    def _sentence(self) -> str:
        return printable.line(self.answer.result.message)

    def summary(self, signed: Mapping[Placed, int] | None) -> dict[str, Any]:
        summary = {**self.answer.summary(), "certificate": self.certificate.to_json() if self.certificate else None}
        return summary if signed is None else {**summary, "signed": self._signed_json(signed)}

    def signed(self) -> dict[Placed, int] | None:
        """The signed tiling that excludes all colourings, checked; None if none is known to exist."""
        from tiler.backends.coloring import checker
        from tiler.backends.coloring.signed import signed_tiling

        if self.obstacle is None:
            return None
        found = signed_tiling(self._remainder, self.obstacle, lambda: None)
        wrong = "there is none" if found is None else checker.error_in_signed(self.instance, found)
        if wrong:
            raise BadSolution(f"the signed tiling does not hold: {wrong}")
        return found

    @cached_property
    def _remainder(self) -> Remainder:
        from tiler.cover.board import BoardCover
        from tiler.cover.remainder import Remainder

        return Remainder.of(BoardCover.of(self.instance))

    def _picture(self) -> ProofPicture | None:
        from tiler.backends.coloring import picture

        weights = picture.weights_of(self.certificate.proof) if self.certificate else None
        return None if weights is None else picture.picture(self._remainder, weights)

    def _list(self, signed: Mapping[Placed, int]) -> list[str]:
        """A line for every placement, with its factor."""
        cover = self._remainder.cover
        rows = [
            (
                f"{factor:+d}",
                printable.line(cover.tiles[tile].name) or "(open)",
                " ".join(f"{','.join(map(str, cover.cells[c]))}" for c in cells),
            )
            for (tile, *cells), factor in sorted(signed.items())
        ]
        wide = [max(len(row[column]) for row in rows) for column in (0, 1)]
        return [f"{factor:>{wide[0]}}  {name:{wide[1]}}  {cells}" for factor, name, cells in rows]

    def _signed_json(self, signed: Mapping[Placed, int]) -> dict[str, Any]:
        from tiler.backends.coloring.signed import to_json

        return to_json(self.instance, signed)


def _refuse_output(path: str, form: str) -> None:
    """Before anything is looked for: whether the file can be written."""
    if not form:
        raise BadOption(f"-o {path}: the name must end in {', '.join(_FORMATS)}")
    if Path(path).is_dir():
        raise BadOption(f"{path} is a folder; -o takes a file name")
    if not os.access(Path(path).parent, os.W_OK):
        raise BadOption(f"cannot write {path}: there is no such folder, or it may not be written to")
