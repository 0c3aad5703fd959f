"""Write a document of headings, paragraphs, lists, tables and figures as Markdown, and as one HTML page without other files."""

from __future__ import annotations

import textwrap
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from urllib.parse import quote

from tiler import printable
from tiler.render import table
from tiler.render.table import RedEntry

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.renderer import RendererHTML
    from markdown_it.token import Token
    from markdown_it.utils import EnvType, OptionsDict


@dataclass(frozen=True)
class Heading:
    """A heading; in a page with a section to work with, the chapter of one that is not `first` is folded."""

    text: str
    level: int = 2
    first: bool = False


@dataclass(frozen=True)
class Paragraph:
    text: str
    loud: bool = False  #: in red


@dataclass(frozen=True)
class Bullets:
    items: tuple[str, ...]
    loud: bool = False


@dataclass(frozen=True)
class Tabular:
    """A table; the first column is text, the others are numbers. Numbers that start with `!` are loud."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


@dataclass(frozen=True)
class Figure:
    """A figure. `path` is the path of its files without an ending, relative to the document; an HTML page contains the SVG.

    `others` are the endings of its other files.
    """

    path: str
    title: str
    svg: bytes
    others: tuple[str, ...]


@dataclass(frozen=True)
class Links:
    """Files beside the document."""

    paths: tuple[str, ...]


Block = Heading | Paragraph | Bullets | Tabular | Figure | Links

_STYLE = """\
:root { color-scheme: light; }
body { font: 16px/1.5 system-ui, sans-serif; color: #222; background: #fff; }
body { max-width: 84rem; margin: 2rem auto; padding: 0 1.2rem; }
h1 { font-size: 1.7rem; } h2 { margin-top: 2.6rem; border-bottom: 1px solid #ddd; } h3 { margin-top: 2rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums; margin: .8rem 0; }
th, td { padding: .22rem .7rem; border-bottom: 1px solid #e6e6e6; text-align: left; white-space: nowrap; }
th { border-bottom: 1.5px solid #888; }
.scroll + p { font-size: .85rem; color: #555; } strong { color: #c00020; font-weight: 600; }
img { max-width: 100%; height: auto; margin: .6rem 0; }
details { border-bottom: 1px solid #ddd; padding: .4rem 0; }
summary { font-size: 1.25rem; font-weight: 600; cursor: pointer; padding: .4rem 0; }
"""


def plain(blocks: Iterable[Block], width: int = 80, *, coloured: bool = False) -> str:
    """The document as text for a terminal, without its figures."""
    return "\n".join(line for block in blocks for line in _plain(block, width, coloured))


def _plain(block: Block, width: int, coloured: bool) -> Iterator[str]:
    match block:
        case Heading(text):
            yield f"\n{text}"
        case Paragraph(text):
            yield textwrap.fill(text, width)
        case Bullets(items):
            yield from (textwrap.fill(item, width, initial_indent="  ", subsequent_indent="    ") for item in items)
        case Tabular(heads, rows, note):
            shown = [[RedEntry(cell[1:]) if cell.startswith("!") else cell for cell in row] for row in rows]
            yield table.draw(shown, heads, width=width, colour=coloured)
            yield textwrap.fill(note, width)


def markdown(blocks: Iterable[Block]) -> str:
    """The document as Markdown; figures are linked, as SVG."""
    return "\n\n".join("\n".join(_markdown(block)) for block in blocks) + "\n"


def _markdown(block: Block) -> Iterator[str]:
    if isinstance(block, Heading):
        yield f"{'#' * block.level} {_text(block.text)}"
    elif isinstance(block, Paragraph):
        yield _text(block.text, loud=block.loud)
    elif isinstance(block, Bullets):
        yield from (f"- {_text(item, loud=block.loud)}" for item in block.items)
    elif isinstance(block, Tabular):
        yield f"| {' | '.join(map(_text, block.heads))} |"
        yield f"| {' | '.join(['---', *['---:'] * (len(block.heads) - 1)])} |"
        for row in block.rows:
            yield f"| {' | '.join(_text(text, loud=loud) for text, loud in _cells(row))} |"
        if block.note:
            yield f"\n{_text(block.note)}"
    elif isinstance(block, Figure):
        yield f"![{_text(block.title)}]({quote(f'{block.path}.svg')})"
        if block.others:
            yield "\n" + " · ".join(f"[{other}]({quote(f'{block.path}.{other}')})" for other in block.others)
    else:
        yield from (f"- [{_text(path)}]({quote(path)})" for path in block.paths)


def _text(text: str, *, loud: bool = False) -> str:
    """A text escaped for Markdown, without the spaces around it, which could make it code."""
    shown = printable.markdown(text.strip())
    return f"**{shown}**" if loud and shown else shown


def _cells(row: Sequence[str]) -> Iterator[tuple[str, bool]]:
    """The cells of a row, each as (text, whether it is loud). The first cell is a name: a `!` at its start stays."""
    for column, text in enumerate(row):
        loud = column > 0 and text.startswith("!")
        yield (text[1:] if loud else text), loud


def html(title: str, blocks: Sequence[Block], section: str = "", style: str = "") -> str:
    """The Markdown as one HTML page, with pictures and style inside, but without links to other forms of the pictures.

    `section` is HTML that readers can work with, and `style` its style sheet. It follows the first paragraphs, and the chapters
    that come first or are loud; those after it are folded.
    """
    shown = [replace(block, others=()) if isinstance(block, Figure) else block for block in blocks]
    pictures = {quote(f"{block.path}.svg"): block.svg for block in shown if isinstance(block, Figure)}
    converter = _converter(pictures)
    first, *chapters = _chapters(shown)
    shown_first = [chapter for chapter in chapters if _comes_first(chapter)] if section else chapters
    folded = [chapter for chapter in chapters if chapter not in shown_first]
    body = converter.render(markdown([block for chapter in (first, *shown_first) for block in chapter])) + section
    for heading, *rest in folded:
        assert isinstance(heading, Heading)
        body += f"<details>\n<summary>{printable.xml(heading.text)}</summary>\n{converter.render(markdown(rest))}</details>\n"
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{printable.xml(title)}</title>\n<style>\n{_STYLE}{style}</style>\n</head>\n<body>\n<main>\n{body}</main>\n"
        "</body>\n</html>\n"
    )


def _chapters(blocks: Sequence[Block]) -> list[list[Block]]:
    """What stands before the first heading of level 2, and each of these headings with what follows it."""
    chapters: list[list[Block]] = [[]]
    for block in blocks:
        if isinstance(block, Heading) and block.level == 2:
            chapters.append([])
        chapters[-1].append(block)
    return chapters


def _comes_first(chapter: Sequence[Block]) -> bool:
    return any(
        block.first if isinstance(block, Heading) else isinstance(block, Paragraph | Bullets) and block.loud for block in chapter
    )


def _converter(pictures: Mapping[str, bytes]) -> MarkdownIt:
    """The converter from Markdown to HTML that puts these pictures in; wide tables can be scrolled."""
    from markdown_it import MarkdownIt

    def image(renderer: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
        token = tokens[index]
        said = renderer.renderInlineAsText(token.children, options, env)
        data = b64encode(pictures[str(token.attrs["src"])]).decode()
        return f'<img src="data:image/svg+xml;base64,{data}" alt="{printable.xml(said)}">'

    # Foreign text is escaped in the Markdown already; as a second guard, HTML is not passed on.
    converter = MarkdownIt("commonmark", {"html": False}).enable("table")
    converter.add_render_rule("image", image)
    converter.add_render_rule("table_open", lambda *_: '<div class="scroll" tabindex="0"><table>\n')
    converter.add_render_rule("table_close", lambda *_: "</table></div>\n")
    return converter
