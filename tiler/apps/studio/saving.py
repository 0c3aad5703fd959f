"""Write a problem or tilings in the forms that the command writes, as bytes for the browser to keep."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from tiler import extensions
from tiler.apps.studio import painting
from tiler.apps.studio.engine import instance_of
from tiler.apps.studio.live import with_laid
from tiler.apps.studio.messages import Data, LaidTileMessage, SaveMessage
from tiler.backends.languages import LANGUAGES, writing
from tiler.backends.registry import parse_spec
from tiler.cover.board import BoardCover
from tiler.errors import BadOption, InputError, TilerError
from tiler.formats import tilings as tiling_lines
from tiler.model.instance import Instance
from tiler.model.tile import Placement
from tiler.render import gallery
from tiler.render.colours import BY
from tiler.render.options import USUAL, PictureLook

_TYPES = {
    **{"svg": "image/svg+xml", "png": "image/png", "pdf": "application/pdf", "sheet": "application/pdf"},
    **{"html": "text/html", "json": "application/json"},
}


class SavedFile(NamedTuple):
    """A file for the browser."""

    name: str
    type: str
    content: bytes


def saved(message: SaveMessage) -> SavedFile:
    """The file that is asked for; InputError or BadOption if there is no such form, or it cannot hold the problem."""
    instance = instance_of(message.problem)
    name, content = _written(instance, message)
    kind = _TYPES.get(message.form, "application/octet-stream")
    return SavedFile(name, kind, content)


def _written(instance: Instance, message: SaveMessage) -> tuple[str, bytes]:
    stem = re.sub(r"[^\w.-]+", "-", instance.heading)[:60].strip("-.") or "problem"
    if message.form in LANGUAGES:
        try:
            return _problem(with_laid(instance, message.laid), message.form, stem)
        except TilerError as error:
            if not message.laid:
                raise
            raise InputError(f"{error}; the pieces that lie are constraints: take them off first") from None
    if message.form == "sheet":
        clues = with_laid(instance, [laid for laid in message.laid if laid.locked])
        return f"{stem}-sheet.pdf", extensions.service("sheet")(clues)
    chosen = message.tilings if message.tilings is not None else (message.laid,)
    if message.form in ("stl", "3mf") and not any(chosen):
        return _plates(instance, message.form, stem)
    tilings = [_placements(instance, tiling) for tiling in chosen]
    if message.form == "tilings":
        return f"{stem}-tilings.json", "".join(f"{tiling_lines.line(tiling)}\n" for tiling in tilings).encode()
    if message.form in gallery.MOST:
        return f"{stem}.{message.form}", gallery.draw(instance, tilings, message.form, _look(message.parameters or {}))
    raise InputError(f"form: {message.form[:20]!r} is none of {', '.join((*LANGUAGES, 'sheet', *gallery.MOST, 'tilings'))}")


def _look(parameters: Data) -> PictureLook:
    """The look of a picture: `colours`, `names`, and `inches` of its longer side; InputError if a value makes no sense."""
    colours, names, inches = parameters.get("colours"), parameters.get("names", False), parameters.get("inches", 0)
    if colours is not None and colours not in BY:
        raise InputError(f"colours: {str(colours)[:20]!r} is none of {', '.join(BY)}")
    if type(inches) not in (int, float) or not (inches == 0 or 1 <= inches <= 60):
        raise InputError("inches: a picture is 1 to 60 inches long, or 0 for a size that fits a screen")
    return USUAL._replace(colours=colours, names=names is True, inches=float(inches))


def _problem(instance: Instance, form: str, stem: str) -> tuple[str, bytes]:
    language = LANGUAGES[form]
    if language.is_problem:
        written = writing.write_problem(form, instance)
    else:
        backend = parse_spec(language.model or "backtracking")
        cover = BoardCover.of(instance)
        wanted = writing.WriteRequest(form, backend if language.model else None, [instance.heading])
        written = writing.write(wanted, cover)
    return packed(stem, {f"{stem}.{ending}": _joined(content) for ending, content in written.files.items()})


def _plates(instance: Instance, form: str, stem: str) -> tuple[str, bytes]:
    """All pieces side by side, as `tiler show` writes them; BadOption if there are none."""
    if not instance.tiles:
        raise BadOption("there are no pieces to print: add some, or choose another form")
    written = extensions.service("plates")(instance, form)
    names = [f"{stem}.{form}"] if len(written) == 1 else [f"{stem}.{number}.{form}" for number in range(1, len(written) + 1)]
    return packed(stem, dict(zip(names, written, strict=True)))


def _joined(content: Iterable[str] | bytes) -> bytes:
    return content if isinstance(content, bytes) else "".join(f"{line}\n" for line in content).encode()


def packed(stem: str, files: Mapping[str, bytes]) -> tuple[str, bytes]:
    """The name and the content of a file; several files, by their names, become one archive."""
    import io
    import zipfile

    if len(files) == 1:
        ((name, content),) = files.items()
        return name, content
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return f"{stem}.zip", buffer.getvalue()


def _placements(instance: Instance, tiling: Sequence[LaidTileMessage]) -> list[Placement]:
    """The pieces of a picture: they need not fill the board, but must lie on it."""
    for tile in tiling:
        if instance.find(tile.tile) is None:
            raise InputError(f"there is no tile {tile.tile[:40]!r}")
        if not frozenset(tile.cells) <= instance.board:
            raise InputError(f"{tile.tile} lies outside of the board")
    return [painting.placement(instance, tile) for tile in tiling]
