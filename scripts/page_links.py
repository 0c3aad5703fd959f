"""Put a link below each example and problem file of the pages that opens it in the page with the engine inside (scripts/page)."""

from __future__ import annotations

import argparse
import base64
import html
import posixpath
import re
import shlex
import tempfile
import zlib
from contextlib import chdir, redirect_stderr, suppress
from io import StringIO
from pathlib import Path

from tiler.apps.studio import naming
from tiler.apps.studio.message_json import dumps
from tiler.cli.main import COMMANDS, configure
from tiler.cli.shared.arguments import read_problem
from tiler.errors import TilerError
from tiler.formats import read
from tiler.model.instance import Instance

PAGE = "page"  #: the folder of the page, within the site
SCHEMA = "tiler-studio-1"  #: as in tiler/apps/studio/page/document.js
MOST_LINK = 60_000  #: as in tiler/apps/studio/page/link.js
_BLOCK = re.compile(r'^```(\w+)(?: title="([^"]+)")?\n(.*?)^```$', re.M | re.S)


def with_links(text: str, address: str) -> str:
    """A page in Markdown, with the links. Commands may name the files that the page shows."""
    page = posixpath.relpath(PAGE, posixpath.dirname(address) or ".")

    def linked(block: re.Match[str]) -> str:
        language, file, content = block.groups()
        if file:
            Path(file).write_text(content)
        shown = _in_file(file) if file else _in_commands(content) if language == "console" else []
        addresses = {fragment: one for one in shown if 0 < len(fragment := fragment_of(one)) <= MOST_LINK}
        if not addresses:
            return block[0]
        words = "Open in the page" if len(addresses) == 1 else ""
        links = (
            f'<a href="{page}/index.html#{address}">{words or html.escape(f"Open {one.heading} in the page")}</a>'
            for address, one in addresses.items()
        )
        return f'{block[0]}\n\n<p class="opens">{" · ".join(links)}</p>\n'

    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        return _BLOCK.sub(linked, text)


def fragment_of(instance: Instance) -> str:
    """What the studio's own links have after #, for a problem (tiler/apps/studio/page/link.js); empty if the studio cannot show
    it.

    >>> from tiler import make
    >>> fragment_of(make("2x1", "2"))[:2]
    'd='
    """
    try:
        told = naming.read_instance(instance, "text")
    except TilerError:
        return ""
    document = {"schema": SCHEMA, "problem": told.problem, "laid": told.laid}
    packer = zlib.compressobj(9, wbits=-15)
    packed = packer.compress(dumps(document).encode()) + packer.flush()
    return f"d={base64.urlsafe_b64encode(packed).decode().rstrip('=')}"


def _in_file(file: str) -> list[Instance]:
    """The problem in a file, if it is one."""
    with suppress(TilerError):
        instance = read(file)
        return [instance] if instance.tiles else []
    return []


def _in_commands(content: str) -> list[Instance]:
    """The problems that the commands of an example are about."""
    lines = content.replace("\\\n", "").splitlines()
    return [shown for line in lines if line.startswith("$ ") and (shown := _in_command(line.removeprefix("$ ")))]


def _in_command(line: str) -> Instance | None:
    """The problem that a command is about, if it is about one that can be read here."""
    with suppress(TilerError, ValueError, SystemExit, AttributeError), redirect_stderr(StringIO()):
        program, command, *words = shlex.split(line, comments=True)
        if program == "tiler" and command in COMMANDS:
            parser = argparse.ArgumentParser(allow_abbrev=False)
            configure(command, parser)
            return read_problem(parser.parse_intermixed_args(words))
    return None
