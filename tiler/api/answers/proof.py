"""Show and save a proof that there is no tiling, in words, pictures and files; or say why none was found."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from tiler import printable
from tiler.api.answers.saving import PICTURES, Forms, Savable, json_lines, write
from tiler.api.answers.tiling import Tiling
from tiler.ask.solve import TilingAnswer as Asked
from tiler.errors import BadArgument, BadOption, BadSolution
from tiler.model.expected import Status
from tiler.question.certificate import Certificate, Placed, Weights
from tiler.question.question import Goal, Limits, Question
from tiler.question.result import Stop

if TYPE_CHECKING:
    from tiler.backends.base import Backend
    from tiler.backends.coloring.picture import ProofPicture
    from tiler.cover.remainder import Remainder

FORMS = (*PICTURES, "html", "json", "txt")  #: what a proof is written as, by the endings of files
_SEARCH_SECONDS = 2.0

_SIGNED = (
    "No colouring of {what} can prove it: there is a signed tiling{without}, placements with factors that add "
    "up to 1 on every cell{where}."
)


@dataclass(frozen=True, repr=False)
class Proof(Savable):
    """The answer of the prover about an instance. Notebooks draw it, `str` makes a text of it, and `save` a file.

    >>> import tiler
    >>> proof = tiler.prove(tiler.make("6x6", "4L"))
    >>> proof, proof.status
    (Proof(unsat: there is no tiling), <Status.UNSAT: 'unsat'>)
    """

    answer: Asked  #: of the prover
    search: Asked | None = None  #: of a short search, where the prover gave up

    @classmethod
    def of(cls, answer: Asked, limits: Limits, search: Callable[[Question], Asked]) -> Proof:
        """Make a proof from the answer of a prover. If the prover gave up, a search of at most two seconds, within the limits,
        looks for a tiling."""
        left = _SEARCH_SECONDS
        if limits.seconds is not None:
            left = min(left, limits.seconds - answer.encode_seconds - answer.solve_seconds)
        if answer.result.stop is not Stop.UNDECIDED or left <= 0:
            return cls(answer)
        return cls(answer, search(Question(Goal.DECIDE, replace(limits, seconds=left))))

    @property
    def deciding_answer(self) -> Asked:
        """The answer that counts: the prover's, unless the search found a tiling, or was interrupted."""
        if self.search is not None and (self.search.solutions or self.search.result.stop is Stop.INTERRUPTED):
            return self.search
        return self.answer

    @property
    def status(self) -> Status:
        """`unsat` if there is a proof, `sat` if a tiling was found instead, else `unknown`. A search that finds no tiling is
        no proof.
        """
        return self.deciding_answer.result.status

    @property
    def stop(self) -> Stop:
        """Why the prover stopped, or the search after it."""
        return self.deciding_answer.result.stop

    @property
    def tiling(self) -> Tiling | None:
        """The tiling that was found instead of a proof."""
        found = self.deciding_answer
        return Tiling(found.instance, found.solutions[-1]) if found.solutions else None

    @property
    def certificate(self) -> Certificate | None:
        """The proof as data, checked; None if none was found."""
        proved = self.answer.result.certificate
        return proved if isinstance(proved, Certificate) else None

    @property
    def sentence(self) -> str:
        """The proof in a sentence; empty if there is none."""
        return printable.line(self.answer.result.message) if self.certificate else ""

    @property
    def verdict(self) -> str:
        """The verdict on a line."""
        if self.status is Status.UNSAT:
            return "unsat: there is no tiling"
        if self.status is Status.SAT:
            return "sat: there is a tiling, so there is nothing to prove"
        if self.stop is not Stop.UNDECIDED:
            return f"unknown ({self.deciding_answer.result.reason})"
        is_refuted = self.search is not None and self.search.result.status is Status.UNSAT
        return "unknown: no proof was found" + (", but a search says that there is no tiling" if is_refuted else "")

    def __bool__(self) -> bool:
        raise BadArgument("a proof that was not found says nothing: ask `proof.certificate is not None`, or proof.status")

    def __repr__(self) -> str:
        return f"Proof({self.verdict})"

    def __str__(self) -> str:
        return self.text()

    def save(self, path: str | Path) -> None:
        """Write a file, in the form of its ending. BadOption for another ending, or where there is nothing to write."""

        def refuse() -> NoReturn:
            raise BadOption(f"path={str(path)!r}: there is nothing to write; {self.verdict}")

        write(path, {**dict.fromkeys(FORMS, refuse), **self.forms()})

    def text(self, signed: Mapping[Placed, int] | None = None, width: int = 80, how: str = "signed() of the proof") -> str:
        """The verdict, the sentence, and the picture, if there is one; `signed` is listed too, else said `how` it is shown."""
        paragraphs = [self.verdict]
        if self.certificate is not None:
            paragraphs[0] += "\n" + textwrap.fill(self.sentence, width or 80)
        if self._picture is not None:
            from tiler.backends.coloring import picture

            paragraphs.append(picture.as_text(self._picture, width))
        if self.tiling is not None:
            paragraphs.append(str(self.tiling))
        elif self._obstacle is not None:
            where = f" ({how} shows it)" if signed is None else ""
            is_marked = self.answer.instance.is_painted
            what, without = ("cells alone", ", marks and colours left out") if is_marked else ("the board", "")
            paragraphs.append(textwrap.fill(_SIGNED.format(what=what, without=without, where=where), width or 80))
        if signed is not None:
            paragraphs.append("\n".join(self._list(signed)))
        return "\n\n".join(filter(None, paragraphs))

    def forms(self, signed: Mapping[Placed, int] | None = None) -> Forms:
        """The text as .txt, where there is a proof a page as .html and the certificate, which `tiler check` reads, as .json, and
        a colouring as .svg, .png or .pdf. Without a proof, .json is the signed tiling, if it is given."""
        from tiler.backends.coloring import picture

        forms: dict[str, Callable[[], str | bytes]] = {"txt": lambda: f"{self.text(signed)}\n"}
        if self._picture is not None:
            forms |= {form: partial(picture.as_file, self._picture, self.sentence, form) for form in PICTURES}
        if self.certificate is not None:
            proved = self.certificate.to_json()
            forms |= {"html": self._html, "json": lambda: json_lines([proved])}
        elif signed is not None:
            forms["json"] = lambda: json_lines([self._signed_json(signed)])
        return forms

    def _html(self) -> str:
        """A page with the verdict, the sentence, and the picture, if there is one."""
        title, verdict, sentence = map(escape, (self.answer.instance.heading or "proof", self.verdict, self.sentence))
        return (
            f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{title}</title>\n</head>\n'
            f"<body>\n<h1>{title}</h1>\n<p>{verdict}</p>\n<p>{sentence}</p>\n{self._repr_svg_() or ''}\n</body>\n</html>\n"
        )

    def summary(self, signed: Mapping[Placed, int] | None = None) -> dict[str, Any]:
        """Ready for JSON."""
        summary = {**self.deciding_answer.summary(), "certificate": self.certificate.to_json() if self.certificate else None}
        return summary if signed is None else {**summary, "signed": self._signed_json(signed)}

    def signed(self) -> dict[Placed, int] | None:
        """The signed tiling that excludes all colourings, checked; None if none is known to exist."""
        from tiler.backends.coloring import checker
        from tiler.backends.coloring.signed_tilings import signed_tiling

        if self._obstacle is None:
            return None
        found = signed_tiling(self._remainder, self._obstacle, lambda: None)
        wrong = "there is none" if found is None else checker.error_in_signed(self.answer.instance, found)
        if wrong:
            raise BadSolution(f"the signed tiling does not hold: {wrong}")
        return found

    @property
    def _obstacle(self) -> list[int] | None:
        return self.answer.result.stats.get("obstacle")

    @cached_property
    def _remainder(self) -> Remainder:
        from tiler.backends.coloring.mark_weights import of_one_look
        from tiler.cover.board import BoardCover
        from tiler.cover.remainder import Remainder

        return Remainder.of(of_one_look(BoardCover.of(self.answer.instance)))

    @cached_property
    def _picture(self) -> ProofPicture | None:
        from tiler.backends.coloring import picture, sentence

        if self.certificate is None:
            return None
        proof = self.certificate.proof
        weights = picture.weights_of(proof, len(self.answer.instance.board))
        has_sets = isinstance(proof, Weights) and sentence.is_hall(self._remainder, proof)
        return None if weights is None else picture.picture(self._remainder, weights, is_hall=has_sets)

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
        from tiler.backends.coloring.signed_tilings import to_json

        return to_json(self.answer.instance, signed)


def refuse_unproving(backend: Backend) -> None:
    """BadOption if a solver is not one whose proofs can be shown here, with those that are."""
    from tiler.backends.registry import able_to
    from tiler.backends.sat import Sat

    if isinstance(backend, Sat):
        raise BadOption("sat writes DRUP proofs, which other programs check: tiler solve ... --solver sat --proof FILE")
    able = [name for name in able_to(Goal.PROVE) if name != Sat.name]
    if Goal.PROVE not in backend.goals:
        raise BadOption(f"{backend.name}: it cannot prove; these can prove: {', '.join(able)}")
