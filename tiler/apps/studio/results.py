"""Read the results of campaigns as they come, for the page of runs; compare two of them; and write figures and tables.

What was read is kept until the records of a folder change.
"""

from __future__ import annotations

import base64
import shlex
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from tiler import printable
from tiler.apps.studio import campaigns, saving
from tiler.apps.studio.campaign_messages import (
    CampaignMessage,
    CampaignNameMessage,
    CampaignStateMessage,
    CompareRequestMessage,
    Data,
    DocumentBlockMessage,
    DocumentMessage,
    ProblemFilterMessage,
    RecordRequestMessage,
    ResultsMessage,
    ResultsRequestMessage,
    SavedResultsMessage,
    SaveResultsMessage,
)
from tiler.apps.studio.message_json import read as read_message
from tiler.apps.studio.results_folder import REFERENCE, ResultsFolder, owner, stamp
from tiler.bench import code_fingerprint, plan, record, store
from tiler.bench.campaign_file import PLAN
from tiler.bench.compare import compare
from tiler.bench.job import Job, of_jobs, pending
from tiler.bench.judge import judge
from tiler.bench.record import Record
from tiler.bench.stats import Clock, Table, newest
from tiler.bench.stats import tables as tabulated
from tiler.bench.time_left import TimeLeft
from tiler.errors import BadOption, InputError, TilerError
from tiler.report import chosen_records, comparison, draw, latex_draft, runs, style, tables
from tiler.report.document import Block, Bullets, Heading, Paragraph, Tabular
from tiler.report.names import short

_FONT = 8.0  # points of a figure for a paper
_WIDTHS = (1.0, 20.0)
_KEPT = 4  # campaigns that are kept in memory

_TYPES = {
    **{"pdf": "application/pdf", "svg": "image/svg+xml", "png": "image/png", "zip": "application/zip"},
    **{"tex": "application/x-tex", "csv": "text/csv", "jsonl": "application/jsonl", "toml": "application/toml"},
}


@dataclass(frozen=True)
class Loaded:
    """The records of a campaign, judged together, and what the page shows of them."""

    version: str
    records: tuple[Record, ...]
    skipped: int
    data: Data


class ResultsService:
    """All that the room does with results, for one folder of them."""

    def __init__(self, root: Path, references: Path | None = None) -> None:
        self.folder = ResultsFolder(root, references)
        self._loaded: dict[Path, Loaded] = {}

    def handle(self, do: str, data: Any) -> Any:
        """The reply to an order, by its name."""
        kind, reply = _ORDERS[do]
        return reply(self, read_message(kind, data) if kind else None)

    def _create(self, message: CampaignMessage) -> CampaignNameMessage:
        campaigns.create(message, self.folder)
        return CampaignNameMessage(message.name)

    def _results(self, message: ResultsRequestMessage) -> ResultsMessage:
        begun = time.process_time()
        path = self.folder.existing(message.name)
        loaded = self._load(path)
        fresh = loaded.data if loaded.version != message.version else None
        state = _state(path, loaded, can_go_on=not message.name.startswith(REFERENCE))
        title = printable.line(store.title_of(path)) or _titled(path)
        return ResultsMessage(message.name, title, loaded.version, state, fresh, time.process_time() - begun)

    def _load(self, path: Path) -> Loaded:
        version = stamp(path)
        known = self._loaded.get(path)
        if known is not None and known.version == version:
            return known
        contents = record.read(path)
        records = judge(tuple(printable.data(contents.records)))
        loaded = Loaded(version, records, contents.skipped, runs.data(records, Clock.SOLVE))
        self._loaded = {**dict(list(self._loaded.items())[1 - _KEPT :]), path: loaded}
        return loaded

    def _record(self, message: RecordRequestMessage) -> Data:
        records = self._load(self.folder.existing(message.name)).records
        if not 0 <= message.number < len(records):
            raise InputError("this record is gone; look at the results again")
        return runs.shown_fields(records[message.number])

    def _compare(self, message: CompareRequestMessage) -> DocumentMessage:
        before, after = (self._load(self.folder.existing(name)).records for name in (message.before, message.after))
        found = compare(before, after, _clock(message.clock), short)
        if not any(each.changes for each in found):
            raise InputError("there is nothing to compare: no solver was asked the same about the same problem in both")
        blocks = comparison.blocks(found, *(name.removeprefix(REFERENCE) for name in (message.before, message.after)))
        return DocumentMessage(tuple(map(_block, blocks)))

    def _save(self, message: SaveResultsMessage) -> SavedResultsMessage:
        path = self.folder.existing(message.name)
        if message.form == "campaign":
            file = path / PLAN
            if not file.is_file():
                raise InputError(f"this campaign has no {PLAN}")
            return _file("campaign.toml", file.read_bytes(), "", f"tiler bench {_quoted(file)} -o {_quoted(path)}")
        if message.form == "records":
            return _file(store.RUNS, (path / store.RUNS).read_bytes(), "", f"tiler report {_quoted(path)}")
        records = chosen_records.select(self._load(path).records, message.problems, message.solvers)
        if message.form == "runs":
            rows = draw.table_of(tables.record_rows(newest(records)))
            command = f"tiler report {_chosen(path, message)} --csv runs.csv"
            return _file(f"{path.name}-runs.csv", rows.encode("utf-8", "backslashreplace"), "", command)
        groups = tabulated(records, _clock(message.clock))
        if not 0 <= message.group < len(groups):
            raise InputError("no run fits, so there is nothing to save")
        return _table(groups[0], path, message) if message.form == "table" else _figure(groups[message.group], path, message)


def _state(path: Path, loaded: Loaded, *, can_go_on: bool) -> CampaignStateMessage:
    """How far a campaign is."""
    by, file = owner(path), path / PLAN
    runner = f"process {by}" if by is not None else ""
    if not can_go_on or not file.is_file():
        return CampaignStateMessage(len(loaded.data["rows"]), None, runner, False, None, loaded.skipped)
    try:
        jobs = jobs_in(str(file), file.stat().st_mtime_ns)
    except TilerError as error:  # It may also name a solver from a file that is not loaded here.
        number = len(loaded.data["rows"])
        return CampaignStateMessage(number, None, runner, False, None, loaded.skipped, str(error))
    known = code_fingerprint.made_here(loaded.records)
    done = of_jobs(jobs, known)
    is_open = len(done) < len(jobs)
    left = TimeLeft(pending(jobs, known), done).seconds if is_open else None
    others = len(loaded.records) - len(known)
    sentence = f"{others:,} records by other versions of Tiler are shown, but these runs are made again" if others else ""
    return CampaignStateMessage(len(done), len(jobs), runner, is_open, left, loaded.skipped, sentence)


@lru_cache(maxsize=8)
def jobs_in(file: str, changed: int) -> tuple[Job, ...]:
    """The jobs of a campaign file; `changed` is when it was written, in nanoseconds."""
    return plan.read(file).runs().jobs


def _titled(path: Path) -> str:
    """The title that the campaign file gives; empty if there is none."""
    try:
        return printable.line(plan.read(str(path / PLAN)).title) if (path / PLAN).is_file() else ""
    except (InputError, BadOption):
        return ""


def _clock(name: str) -> Clock:
    try:
        return Clock(name)
    except ValueError:
        raise InputError(f"there is no clock {name[:20]!r}; there are {', '.join(Clock)}") from None


def _block(block: Block) -> DocumentBlockMessage:
    match block:
        case Heading(text, level):
            return DocumentBlockMessage("heading", text, level)
        case Paragraph(text, loud):
            return DocumentBlockMessage("paragraph", text, loud=loud)
        case Bullets(items, loud):
            return DocumentBlockMessage("list", items=items, loud=loud)
        case Tabular(heads, rows, note):
            return DocumentBlockMessage("table", note, heads=heads, rows=rows)
    raise AssertionError(block)


def _table(table: Table, path: Path, message: SaveResultsMessage) -> SavedResultsMessage:
    """The table of the solvers."""
    grid = tables.solvers(table)
    rows = [dict(zip(grid.heads, (cell.removeprefix("!") for cell in row), strict=True)) for row in grid.rows]
    text = latex_draft.latex(grid) if message.format == "tex" else draw.table_of(rows)
    command = f"tiler report {_chosen(path, message)} --clock {message.clock} --draft ."
    return _file(f"{path.name}-solvers.{message.format}", text.encode("utf-8", "backslashreplace"), grid.note, command)


def _figure(table: Table, path: Path, message: SaveResultsMessage) -> SavedResultsMessage:
    """A figure for a paper: without heading and caption, which the author writes."""
    if message.kind not in draw.ALL_KINDS or message.format not in draw.FORMATS:
        raise InputError(f"there is no figure of kind {message.kind[:20]!r} as {message.format}")
    if not _WIDTHS[0] <= message.width <= _WIDTHS[1]:
        raise InputError(f"a figure is between {_WIDTHS[0]:g} and {_WIDTHS[1]:g} inches wide")
    if not draw.suitable(table, [message.kind]):
        raise InputError(f"there is nothing in these runs for a plot of kind {message.kind}: {draw.kind(message.kind).HELP}")
    layout = style.Layout(bare=True, width=message.width, font=_FONT)
    with tempfile.TemporaryDirectory() as place, style.laid_out(layout):
        written = draw.write(table, Path(place), [message.kind], [message.format])
        contents = {
            f"{path.name}-{each.name}.{message.format}": (Path(place) / f"{each.name}.{message.format}").read_bytes()
            for each in written
        }
    first = written[0]
    caption = " ".join(f"{first.title}. {first.caption} Campaign: {path.name}.".split())
    command = (
        f"tiler plot {_chosen(path, message)} --kind {message.kind} --clock {message.clock} --bare --width {message.width:g}in "
        f"--font {_FONT:g} --format {message.format} -o ."
    )
    return _file(*saving.packed(f"{path.name}-{message.kind}", contents), caption, command)


def _chosen(path: Path, message: SaveResultsMessage) -> str:
    """The folder and the choice of records, as arguments of a command."""
    filters = "".join(f" --filter {shlex.quote(text)}" for text in message.problems)
    solvers = "".join(f" --solver {shlex.quote(spec)}" for spec in map(short, message.solvers))
    return f"{_quoted(path)}{filters}{solvers}"


def _quoted(path: Path) -> str:
    return shlex.quote(str(path))


def _file(name: str, content: bytes, caption: str, command: str) -> SavedResultsMessage:
    kind = _TYPES[name.rpartition(".")[2]]
    return SavedResultsMessage(name, kind, base64.b64encode(content).decode(), caption, command)


#: The orders, each with the kind of its message and the reply to it.
_ORDERS: dict[str, tuple[type | None, Callable[[ResultsService, Any], Any]]] = {
    "list": (None, lambda service, _: service.folder.listed()),
    "forms": (None, lambda service, _: campaigns.forms()),
    "problems": (ProblemFilterMessage, lambda service, message: campaigns.problems(message)),
    "refusals": (CampaignMessage, lambda service, message: campaigns.refused(message)),
    "create": (CampaignMessage, ResultsService._create),
    "writable": (CampaignNameMessage, lambda service, message: str(service.folder.writable(message.name))),
    "results": (ResultsRequestMessage, ResultsService._results),
    "record": (RecordRequestMessage, ResultsService._record),
    "compare": (CompareRequestMessage, ResultsService._compare),
    "save": (SaveResultsMessage, ResultsService._save),
}
