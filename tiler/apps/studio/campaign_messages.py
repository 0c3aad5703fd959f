"""Define the messages of the room where solvers are compared: campaigns, what is known of them, and what is saved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

Data = dict[str, Any]  #: an object whose keys another module checks


@dataclass(frozen=True)
class SolverOptionMessage:
    """An option of a solver, from its declaration. `default` is as a spec writes it; `choices` are its values, where these are
    few."""

    name: str
    help: str
    default: str
    choices: tuple[str, ...]


@dataclass(frozen=True)
class SolverFormMessage:
    """A solver with its options. `missing` says what has to be installed first; it is empty if nothing has to be."""

    name: str
    help: str
    missing: str
    options: tuple[SolverOptionMessage, ...]


@dataclass(frozen=True)
class SolverFormsMessage:
    """All solvers."""

    solvers: tuple[SolverFormMessage, ...]


@dataclass(frozen=True)
class ProblemFilterMessage:
    """A filter of problems, as in `tiler bench`: a part of a name, a glob, or a regular expression between slashes."""

    filter: str


@dataclass(frozen=True)
class ProblemNamesMessage:
    """The names of problems."""

    names: tuple[str, ...]


@dataclass(frozen=True)
class CampaignMessage:
    """A campaign to be made: problems of the list by their names, perhaps one that was drawn, specs of solvers, and limits."""

    name: str
    problems: tuple[str, ...]
    solvers: tuple[str, ...]
    drawn: Data | None = None
    title: str = ""
    goal: Literal["decide", "count"] = "decide"
    seconds: float = 10.0
    megabytes: int = 2048
    threads: int = 1
    repeat: int = 1
    seeds: int = 1


@dataclass(frozen=True)
class RefusalMessage:
    """A solver that refuses problems of a campaign. `is_all`: it refuses each of them."""

    solver: str
    is_all: bool
    sentence: str


@dataclass(frozen=True)
class RefusalsMessage:
    """The solvers that refuse, and how many of the problems were looked at."""

    refusals: tuple[RefusalMessage, ...]
    looked_at: int


@dataclass(frozen=True)
class CampaignNameMessage:
    """The name of a campaign."""

    name: str


@dataclass(frozen=True)
class CampaignEntryMessage:
    """A folder of results. Reference campaigns come with Tiler, and are only looked at."""

    name: str
    title: str
    runs: int
    changed: str
    is_reference: bool


@dataclass(frozen=True)
class CampaignListMessage:
    """The folders of results that can be opened, the newest first, and what holds them."""

    folder: str
    campaigns: tuple[CampaignEntryMessage, ...]


@dataclass(frozen=True)
class ResultsRequestMessage:
    """Ask for the results of a campaign, unless they are still those of a version."""

    name: str
    version: str = ""


@dataclass(frozen=True)
class CampaignStateMessage:
    """How far a campaign is. `total` is None if no campaign file says it; `runner` is who makes runs now: nobody, this studio, or
    another process in words. Seconds are estimates."""

    done: int
    total: int | None
    runner: str
    can_go_on: bool
    seconds_left: float | None
    skipped: int
    sentence: str = ""


@dataclass(frozen=True)
class ResultsMessage:
    """The results of a campaign. `data` is what the page of runs takes; None if they are those of the version asked about.
    `seconds` are the CPU seconds of finding out."""

    name: str
    title: str
    version: str
    state: CampaignStateMessage
    data: Data | None
    seconds: float = 0.0


@dataclass(frozen=True)
class RecordRequestMessage:
    """Ask for the record with a number."""

    name: str
    number: int


@dataclass(frozen=True)
class CompareRequestMessage:
    """Ask what changed from one campaign to another."""

    before: str
    after: str
    clock: str = "solve"


@dataclass(frozen=True)
class DocumentBlockMessage:
    """A part of a text: a heading, a paragraph, a list, or a table. In tables the entries that begin with `!` are loud."""

    kind: Literal["heading", "paragraph", "list", "table"]
    text: str = ""
    level: int = 2
    loud: bool = False
    items: tuple[str, ...] = ()
    heads: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True)
class DocumentMessage:
    """A text."""

    blocks: tuple[DocumentBlockMessage, ...]


@dataclass(frozen=True)
class SaveResultsMessage:
    """Write a figure, a table, all records or the campaign. `problems` are filters of names, `solvers` are specs, nothing means
    all; `group` is the number of the question. `width` is in inches."""

    name: str
    form: Literal["figure", "table", "runs", "records", "campaign"]
    format: Literal["pdf", "svg", "png", "tex", "csv", "jsonl", "toml"]
    kind: str = "survival"
    problems: tuple[str, ...] = ()
    solvers: tuple[str, ...] = ()
    group: int = 0
    clock: str = "solve"
    width: float = 3.4


@dataclass(frozen=True)
class SavedResultsMessage:
    """A file, its caption or note, and the command that writes it."""

    name: str
    type: str
    base64: str
    caption: str
    command: str


REQUESTS = (
    *(ProblemFilterMessage, CampaignMessage, CampaignNameMessage, ResultsRequestMessage, RecordRequestMessage),
    *(CompareRequestMessage, SaveResultsMessage),
)
