"""A document of headings, paragraphs, lists, tables and figures, as Markdown and as one HTML page that needs no other file."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from tiler import printable


@dataclass(frozen=True)
class Heading:
    text: str
    level: int = 2


@dataclass(frozen=True)
class Paragraph:
    text: str
    loud: bool = False  #: in red


@dataclass(frozen=True)
class Bullets:
    items: tuple[str, ...]
    loud: bool = False


@dataclass(frozen=True)
class Grid:
    """A table; the first column is text, the others are numbers. Numbers that start with `!` are loud."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


@dataclass(frozen=True)
class Figure:
    """A figure by the path of its files without an ending, relative to the document; the SVG is part of an HTML page.

    `others` are the other endings that there are files for.
    """

    path: str
    title: str
    svg: bytes
    others: tuple[str, ...]


@dataclass(frozen=True)
class Links:
    """Files beside the document."""

    paths: tuple[str, ...]


Block = Heading | Paragraph | Bullets | Grid | Figure | Links

_STYLE = """\
:root { color-scheme: light; }
body { font: 16px/1.5 system-ui, sans-serif; color: #222; background: #fff; }
body { max-width: 84rem; margin: 2rem auto; padding: 0 1.2rem; }
h1 { font-size: 1.7rem; } h2 { margin-top: 2.6rem; border-bottom: 1px solid #ddd; } h3 { margin-top: 2rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums; margin: .8rem 0; }
th, td { padding: .22rem .7rem; border-bottom: 1px solid #e6e6e6; text-align: right; white-space: nowrap; }
th { border-bottom: 1.5px solid #888; } th:first-child, td:first-child { text-align: left; }
.note { font-size: .85rem; color: #555; } .loud { color: #c00020; font-weight: 600; }
figure { margin: 1.6rem 0; } figure img { max-width: 100%; height: auto; } code { font-size: .92em; }
"""


def markdown(blocks: Iterable[Block]) -> str:
    """The document as Markdown; figures are linked, as SVG."""
    return "\n\n".join("\n".join(_markdown(block)) for block in blocks) + "\n"


def _markdown(block: Block) -> Iterator[str]:
    if isinstance(block, Heading):
        yield f"{'#' * block.level} {printable.markdown(block.text)}"
    elif isinstance(block, Paragraph):
        text = printable.markdown(block.text)
        yield f"**{text}**" if block.loud else text
    elif isinstance(block, Bullets):
        items = map(printable.markdown, block.items)
        yield from (f"- **{item}**" if block.loud else f"- {item}" for item in items)
    elif isinstance(block, Grid):
        yield f"| {' | '.join(map(printable.markdown, block.heads))} |"
        yield f"| {' | '.join(['---', *['---:'] * (len(block.heads) - 1)])} |"
        for row in block.rows:
            shown = ((printable.markdown(text), loud) for text, loud in _cells(row))
            yield f"| {' | '.join(f'**{text}**' if loud else text for text, loud in shown)} |"
        if block.note:
            yield f"\n{printable.markdown(block.note)}"
    elif isinstance(block, Figure):
        yield f"![{printable.markdown(block.title)}]({block.path}.svg)"
        yield "\n" + " · ".join(f"[{other}]({block.path}.{other})" for other in block.others)
    else:
        yield from (f"- [{printable.markdown(path)}]({path})" for path in block.paths)


def _cells(row: Sequence[str]) -> Iterator[tuple[str, bool]]:
    """The texts of a row, each with whether it is loud; the first is a name, which may begin with anything."""
    for column, text in enumerate(row):
        loud = column > 0 and text.startswith("!")
        yield (text[1:] if loud else text), loud


def html(title: str, blocks: Iterable[Block]) -> str:
    """The document as a page that can be sent around: pictures and style are inside."""
    body = "\n".join("".join(_html(block)) for block in blocks)
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{printable.xml(title)}</title>\n<style>\n{_STYLE}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def _html(block: Block) -> Iterator[str]:
    if isinstance(block, Heading):
        yield f"<h{block.level}>{printable.xml(block.text)}</h{block.level}>"
    elif isinstance(block, Paragraph):
        yield f"<p{_class(block.loud)}>{printable.xml(block.text)}</p>"
    elif isinstance(block, Bullets):
        yield f"<ul{_class(block.loud)}>"
        yield from (f"<li>{printable.xml(item)}</li>" for item in block.items)
        yield "</ul>"
    elif isinstance(block, Grid):
        yield '<div class="scroll"><table><thead><tr>'
        yield from (f"<th>{printable.xml(head)}</th>" for head in block.heads)
        yield "</tr></thead><tbody>"
        for row in block.rows:
            yield f"<tr>{''.join(_html_cells(row))}</tr>"
        yield "</tbody></table></div>"
        if block.note:
            yield f'<p class="note">{printable.xml(block.note)}</p>'
    elif isinstance(block, Figure):
        data = b64encode(block.svg).decode()
        yield f'<figure><img src="data:image/svg+xml;base64,{data}" alt="{printable.xml(block.title)}"></figure>'
    else:
        links = (f'<li><a href="{printable.xml(path)}">{printable.xml(path)}</a></li>' for path in block.paths)
        yield f"<ul>{''.join(links)}</ul>"


def _html_cells(row: Sequence[str]) -> Iterator[str]:
    for text, loud in _cells(row):
        yield f"<td{_class(loud)}>{printable.xml(text)}</td>"


def _class(loud: bool) -> str:
    return ' class="loud"' if loud else ""
