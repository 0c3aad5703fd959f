"""Collect tilings, or the steps of a search, and write them as one picture, as pages, or for a browser."""

from __future__ import annotations

import argparse
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from tiler import printable
from tiler.cli.shared import declared, output
from tiler.errors import BadOption
from tiler.question.parameters import WORDS, declare, one_of, parameter, read_by
from tiler.question.quantities import inches, step

if TYPE_CHECKING:
    from tiler.model.instance import Instance
    from tiler.model.tile import Placement
    from tiler.render.colours import Colouring
    from tiler.render.options import Lengths, PictureLook
    from tiler.render.viewer import Step


_LOOK = declare(
    colours=parameter(None, "", WORDS, metavar="HOW", absent="orientation if all tiles have two cells, else tile"),
    names=parameter(False, "write its name on each piece, in text drawings too"),
    marks=parameter(None, "", WORDS),
    size=parameter(None, "set the longer side of a picture, in in, cm or mm", read_by(inches, "24in")),
)
_LENGTHS = declare(
    unit=parameter(None, "set the width of a cell; in plastic also its width, depth and height: 20x20x10", read_by(step, "MM")),
    gap=parameter(None, "set the gap between pieces", read_by(float, "MM")),
    height=parameter(None, "set the height of flat pieces in plastic", read_by(float, "MM")),
    bevel=parameter(None, "cut this much off the edges of pieces in plastic", read_by(float, "MM")),
    cut=parameter(False, "write an .svg for a laser cutter, as .dxf is: lines in mm, without fill"),
)
#: What is made, in words, and the options that it has, when a tiling is made.
KINDS = {"plastic": "a 3D printer (-o pieces.stl, or .3mf)", "cuts": "a laser cutter (-o pieces.dxf, or --cut -o pieces.svg)"}
_KINDS = {**KINDS, "paper": "paper (-o solution.pdf)"}
_OPTIONS_OF = {"paper": ("unit",), "plastic": ("unit", "gap", "height", "bevel"), "cuts": ("unit", "cut")}
_MOST_PIXELS = 60.0  #: inches of a PNG, which takes memory for every pixel


def add_look(parser: argparse.ArgumentParser, *, marks: bool = True) -> None:
    """The options that say how pictures look."""
    from tiler.render.overlays import OVERLAYS

    group = parser.add_argument_group("pictures")
    add_colours(group)
    about = {"help": f"draw over the pieces; {_list(OVERLAYS)}", "kind": one_of(*OVERLAYS)}
    declared.add(group, _LOOK, *("names", *["marks"] * marks, "size"), marks=about)


def add_lengths(group: argparse._ArgumentGroup) -> None:
    """The options with lengths of what is printed."""
    from tiler.render import options

    said = {
        "unit": f"{options.UNIT:g}",
        "gap": f"{options.GAP:g} in plastic, 0 in wood",
        "height": f"{options.HEIGHT:g}",
        "bevel": "0",
    }
    declared.add(group, _LENGTHS, **{name: {"absent": length} for name, length in said.items()})


def lengths(args: argparse.Namespace) -> Lengths:
    """The lengths that these options set, in mm."""
    from tiler.render.options import Lengths

    given = {name: getattr(args, name, None) for name in Lengths._fields}
    return Lengths()._replace(**{name: length for name, length in given.items() if length is not None})


def refuse_idle(args: argparse.Namespace, kind: str, options: Mapping[str, Collection[str]], kinds: Mapping[str, str]) -> None:
    """BadOption if an option is given that does nothing for a kind of file. `options` has those of each kind, `kinds` each
    kind in words."""
    for name in {name: None for names in options.values() for name in names}:
        if getattr(args, name, None) not in (None, False) and name not in options.get(kind, ()):
            able = " or ".join(said for other, said in kinds.items() if name in options[other])
            raise BadOption(f"--{name} does nothing for {kinds.get(kind, 'what is printed here')}; it is for {able}")


def add_colours(group: argparse._ArgumentGroup) -> None:
    """The option that says which colours pieces have."""
    from tiler.render.colours import BY

    how = f"choose the colours of pieces. {_list(BY)}; or a file with lines TILE COLOUR for some tiles"
    declared.add(group, _LOOK, "colours", colours=how)


def _list(helps: Mapping[str, object]) -> str:
    return "; ".join(f"{name}: {getattr(help, 'help', help)}" for name, help in helps.items())


def colours_of(how: str | None) -> Colouring:
    """The colours that `--colours` asks for; a file is read."""
    from tiler.render.colours import BY

    if how is None or how in BY:
        return how
    from tiler import formats
    from tiler.formats import instance_settings

    if not Path(how).exists():
        raise BadOption(f"--colours {printable.line(how)}: neither a file nor one of {', '.join(BY)}")
    return instance_settings.parse_fills(formats.load(how), how)


def look_of(args: argparse.Namespace, form: str) -> PictureLook:
    """The look that these options ask for; BadOption if the form cannot show it."""
    from tiler.render.options import PictureLook

    marks = getattr(args, "marks", None)
    able = output.PICTURES
    kind = {"pdf": "paper", "dxf": "cuts", **dict.fromkeys(("stl", "3mf"), "plastic")}.get(form, "")
    if form == "svg" and getattr(args, "cut", False):
        kind = "cuts"
    refuse_idle(args, kind, _OPTIONS_OF, _KINDS)
    forms = {"--colours": ("text", *output.PAGES, "gif"), "--names": ("text", *able), "--marks": able, "--size": able}
    wanted = {"--colours": args.colours, "--names": args.names, "--marks": marks, "--size": args.size}
    wrong = [name for name, value in wanted.items() if value and form not in forms[name]]
    if wrong:
        raise BadOption(f"{wrong[0]} is about pictures: -o tiling.svg, or another of {', '.join(f'.{each}' for each in able)}")
    if form == "png" and (args.size or 0) > _MOST_PIXELS:
        raise BadOption(f"--size: a .png has {_MOST_PIXELS:.0f}in at most; .svg and .pdf may be larger")
    look = PictureLook(colours_of(args.colours), marks or "", args.size or 0.0, args.names)
    if kind == "paper":
        return look._replace(unit=lengths(args).one_unit if getattr(args, "unit", None) else 0.0)
    return look._replace(lengths=lengths(args), cut=kind == "cuts") if kind else look


class Album:
    """The tilings of an instance; `form` is one of output.PAGES or output.SOLIDS, or gif for a search."""

    def __init__(self, instance: Instance, form: str, look: PictureLook) -> None:
        from tiler.render import gallery, overlays, search_gif, viewer

        if look.marks:  # Before the search.
            overlays.refuse(instance, look.marks)
        self._instance, self._form, self._look = instance, form, look
        if form == "gif":
            self._most, self._most_steps = viewer.MOST, search_gif.MOST
        else:
            self._most, self._most_steps = gallery.MOST[form], viewer.MOST
        self.tilings: list[Sequence[Placement]] = []
        self.steps: list[Step] = []

    def add(self, tiling: Sequence[Placement]) -> None:
        """Keep a tiling. BadOption at once if there are too many: the search need not go on."""
        self.tilings.append(tiling)
        if len(self.tilings) > self._most:
            from tiler.render.gallery import MOST

            larger = max(MOST.values())
            more = f", or up to {larger:,} in view.html" if self._most < larger else ""
            raise BadOption(f"a .{self._form} holds {self._most:,} tilings at most: --limit {self._most}{more}")

    def step(self, stack: Sequence[Placement], cell: object) -> None:
        """Keep the placements made so far in a search, and the cell that the last is for.

        What comes after as many as a page holds is left out.
        """
        if self._form not in ("html", "gif"):
            raise BadOption("the steps of a search are shown by a page for a browser, or a moving picture: -o search.html, .gif")
        if len(self.steps) < self._most_steps:
            from tiler.render.viewer import Step

            self.steps.append(Step(stack, cell))

    def write(self, out: TextIO) -> None:
        """The picture; nothing if there is nothing to draw."""
        from tiler.render import gallery, search_gif, viewer

        if self.steps and self._form == "gif":
            output.write(out, search_gif.moving_picture(self._instance, self.steps, self._look.colours))
        elif self.steps:
            out.write(viewer.animation(self._instance, self.steps, self._look.colours))
        elif self.tilings:
            output.write(out, gallery.draw(self._instance, self.tilings, self._form, self._look))
