"""`tiler bench`: every instance against every solver, one limited run each, with a record of every run."""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tiler import printable
from tiler.amounts import counted
from tiler.cli.campaign import announcement, opponent
from tiler.cli.campaign.opponent import Opponent
from tiler.cli.campaign.progress import EarlyFigure, Reporter, busy, progress, talk
from tiler.cli.shared import declared
from tiler.cli.shared.declared import OPTIONS
from tiler.errors import BadOption, MissingDependency
from tiler.optional_packages import need
from tiler.question.parameters import COMMON, COUNT, WORDS, declare, fields_of, parameter, read_by
from tiler.version import __version__

if TYPE_CHECKING:
    from tiler.bench.job import Job
    from tiler.bench.judge import RecordedAnswers
    from tiler.bench.order import RunOrder
    from tiler.bench.plan import Campaign
    from tiler.bench.record import Record
    from tiler.bench.store import Store

HELP = "run solvers on many problems, and record and compare their answers"
EXAMPLES = """\
  tiler bench --filter many-unique --time-limit 5s
  tiler bench --filter '4?/*_u' --filter mixed --solver backtracking:order=rare
  tiler bench --tag classic --goal count --time-limit 1m -o results/counts
  tiler bench campaign.toml --jobs 2
  tiler bench --filter many-unique --solver 'sat:encoding=*' --dry-run
  tiler bench --filter many-unique --repeat 3 --against ../tiler-before
  tiler bench --filter many-unique --scramble 5 --order random:7 --pin
"""

_DESCRIPTION = """\
Run every solver on every problem within limits, each run by itself. Record and
compare the answers, and draw plots. A run with the same limits that this version of
Tiler has already recorded in the results folder is not repeated; so an interrupted
campaign goes on. The folder keeps the campaign too, as campaign.toml.

A campaign file (TOML) may name all of it:

  solvers = ["dlx", "backtracking:order=rare"]
  filter = ["many-unique"]       # also: tag, instances (files), output, title,
                                 # problems (a folder); "/4r.*04/" is a regex
  time-limit = "10s"             # also: memory-limit, threads, goal, repeat,
                                 # seeds, scramble, order
  [[solver]]                     # any program as a solver; also in a tiler.toml
  name = "cadical 1.5"           # also: model, version, colour, projects
  command = "cadical -q {cnf}"   # the tutorial for research lists what a program
  input = "cnf"                  # may be given (cnf, wcnf, opb, lp, mzn, ...) and
  output = "dimacs"              # may answer in (dimacs, pb, columns, count, ...)
  [[part]]                       # settings of its own, over those above
  filter = ["4?/*_u"]
  time-limit = "1m"
"""

_DRAWN = ".drawn"  # in the folder of the plots: which records they show


def _order(text: str) -> RunOrder:
    """The order of runs on the command line."""
    from tiler.bench.order import RunOrder

    try:
        return RunOrder.read(text)
    except BadOption as error:
        raise argparse.ArgumentTypeError(str(error)) from None


_OPTIONS = declare(
    campaign=parameter(
        None,
        "a campaign file; options of the command win over it, but --filter and --tag choose among its problems",
        WORDS,
        metavar="CAMPAIGN.toml",
        nargs="?",
        by_place=True,
    ),
    order=parameter(
        None,
        "make the runs of a problem one after the other, solvers and problems in a random order (random:SEED: in another one); "
        "size: small boards first, by every solver in turn",
        read_by(_order, "random|size"),
        absent="random",
    ),
    scramble=parameter(
        None,
        "ask about each problem in N forms that mean the same (board turned or reflected, tiles in another order and with other "
        "names), and show how far the times spread",
        COUNT,
        absent="as it is written",
    ),
    seeds=parameter(None, "run each solver that takes a seed with the seeds 0 to N-1, and show how far the times spread", COUNT),
    warm_repeats=parameter(
        True,
        "solve only once in a run of less than 0.2 s (default: again and again, which makes its seconds exact)",
    ),
    jobs=parameter(None, "make N runs at a time; same as local:N", COUNT, absent="1"),
    pin=parameter(False, "bind each run to cores of its own, as many as it may use threads"),
    against=parameter(
        None,
        "let the Tiler in this folder, or of this Python interpreter, make each run too, by turns, and compare the two",
        WORDS,
        metavar="OTHER",
    ),
    fresh=parameter(False, "start anew, and give the old results folder another name"),
    reuse=parameter(False, "also keep the runs that another version of Tiler has recorded"),
    dry_run=parameter(
        False, "only list the runs, in their order, how long they take at most, and which solvers get equal formulas"
    ),
    plots=parameter(True, "do not draw at the end"),
)
#: What a campaign says otherwise than other questions. The defaults are those of its file.
_CHANGES: dict[str, dict[str, Any]] = {
    "filter": {"help": "run only problems with a name (family/name) that contains TEXT, matches GLOB, or contains REGEX"},
    "tags": {"help": "run only problems with this tag", "absent": "thesis, without --filter and --problems"},
    "solvers": {
        "help": "run this solver; sat:encoding=* means one for each encoding",
        "absent": "all installed that can find a tiling, each where it can answer",
    },
    "goal": {"help": "choose the question", "default": None, "absent": "decide"},
    "seconds": {"help": "stop each run after this time", "absent": "10s"},
    "memory": {"help": "stop each run that takes more memory", "absent": "2G"},
    "threads": {"help": "let each run use N threads", "absent": "1"},
    "repeat": {"help": "make every run N times", "default": None, "absent": "once"},
    "executor": {"help": "run on this machine, or on the workers of a Dask cluster", "absent": "local:1"},
    "output": {"help": "write the results into this folder", "metavar": "FOLDER", "absent": "results/bench, or results/NAME"},
}


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = _DESCRIPTION
    fields = fields_of(COMMON, OPTIONS, _OPTIONS)
    declared.add(parser, fields, *("campaign", "filter", "tags", "load"), **_CHANGES)
    declared.add(parser, fields, *("solvers", "goal", "seconds", "memory", "threads", "repeat"), **_CHANGES)
    declared.add(
        parser, fields, *("seeds", "scramble", "warm_repeats", "order", "jobs", "pin", "executor", "against"), **_CHANGES
    )
    declared.add(parser, fields, *("fresh", "reuse", "dry_run"), **_CHANGES)
    declared.add(parser, fields, *("plots", "problems", "output"), **_CHANGES)


def run(args: argparse.Namespace) -> int:
    # Now, and not when all runs are made.
    drawing = ("matplotlib",) if args.plots and not args.dry_run else ()
    need("bench", "msgspec", "psutil", "rich", *drawing, instead="--no-plots needs no matplotlib" if drawing else "")
    opponent.check(args)
    with busy("reading the problems"):
        from tiler.bench import campaign, campaign_file, code_fingerprint, record, refusals, store
        from tiler.bench.job import of_jobs, pending
        from tiler.bench.judge import RecordedAnswers, judge
        from tiler.bench.record import Category
        from tiler.bench.store import Store
        from tiler.bench.time_left import TimeLeft
        from tiler.cli.campaign import summary
        from tiler.process import executors
        from tiler.report import chosen_records

        plan = _plan(args)
        jobs, refused = plan.runs()
    executor = f"local:{args.jobs or 1}" if args.executor is None else args.executor
    if args.pin:
        executors.check(executor)
        campaign.cores_for(jobs, int(executor.removeprefix("local:")))
    left_out, lacks = refusals.in_words(refused), campaign.not_installed(dict.fromkeys(job.solver for job in jobs))
    folder, folder_lines = _folder(args, plan, jobs)
    order = plan.order or (None if args.fresh else campaign_file.order_in(folder)) or campaign.AT_RANDOM
    if args.dry_run:
        for line in (*folder_lines, *left_out, *(f"not installed: {missing}" for missing in lacks)):
            talk(line)
        records = () if args.fresh else record.read(folder).records
        announcement.tell(order.arranged(pending(jobs, _known(records, args))), jobs, executor, verbose=args.verbose)
        announcement.tell_alike(jobs)
        return 0
    if lacks:
        raise MissingDependency("; ".join(lacks))
    if args.fresh:
        for place in (folder, *([opponent.folder_beside(folder)] if args.against else [])):
            with store.locked(place, talk):
                aside = store.set_aside(place)
            if aside:
                talk(f"the old results are in {aside} now")
    interrupted = False
    with store.locked(folder, talk), Store(folder) as opened, opponent.opened(args, jobs, folder) as other:
        campaign_file.keep(replace(plan, order=order), folder)
        opened.entitle(plan.title)
        for line in (*folder_lines, *left_out):
            talk(line)

        contents = record.read(folder, warn=True)
        records = _known(contents.records, args)
        if len(records) < len(contents.records):
            others = len(contents.records) - len(records)
            old = sum(map(code_fingerprint.is_of_earlier_layout, contents.records))
            which = f" ({'all' if old == others else old} of an earlier layout)" if old else ""
            talk(f"{counted(others, 'record')} by other versions of the code{which} kept, but not used; --reuse uses them")
        records = records if other is None else other.paired(records)
        todo, answers = pending(jobs, records), RecordedAnswers(records)
        slots = args.jobs or 1
        announcement.announce(jobs, todo, executor)
        left = TimeLeft(todo, of_jobs(jobs, records))
        if todo:  # A campaign may have very many records, so none is kept in memory while runs are made.
            del contents, records
        try:
            if todo:
                talk(f"loading {counted(len({job.solver for job in todo}), 'solver')}")
            with progress(len(jobs), len(jobs) - len(todo), left, slots, quiet=args.quiet, verbose=args.verbose) as shown:
                if todo:
                    early = None if not args.plots or executor != "local:1" or other else EarlyFigure(folder)
                    _make(
                        todo,
                        opened,
                        executor,
                        order,
                        answers,
                        shown,
                        warm=args.warm_repeats,
                        pin=args.pin,
                        early=early,
                        other=other,
                    )
        except KeyboardInterrupt:
            interrupted = True
        if todo:
            records = _known(record.read(folder).records, args)
        records = judge(records if other is None else other.paired(records))
    wanted = tuple(printable.data(of_jobs(jobs, records)))
    summary.show(wanted, jobs, opened.runs)
    if other is not None and wanted:
        other.print_comparison(wanted, folder)
    if len(wanted) < len(jobs):
        cause = "interrupted: " if interrupted else ""
        talk(f"{cause}{len(wanted)} of {counted(len(jobs), 'run')} recorded; the same command goes on from there")
    wrong = sum(each["category"] == Category.WRONG for each in records)
    if wrong > sum(each["category"] == Category.WRONG for each in wanted):
        talk(f"{wrong} wrong answers among all {counted(len(records), 'record')} of {opened.runs}")
    if args.plots and wanted:  # All records there, like `tiler plot`.
        _draw(chosen_records.read(folder, warn=False), folder / "plots")
    if interrupted:
        return 130
    if wrong:
        return 4
    return 0 if len(wanted) == len(jobs) else 3


def _folder(args: argparse.Namespace, asked: Campaign, jobs: Sequence[Job]) -> tuple[Path, tuple[str, ...]]:
    """The folder of the records: the one that was named, else the usual one; if that has records of other problems, goals or
    limits, one that is named after this campaign. And what to say about it. BadOption if that has such records, too."""
    from tiler.bench import campaign_file
    from tiler.bench.plan import DEFAULT_OUTPUT
    from tiler.report.panels import question_as_name

    named = args.output or asked.output
    folder = Path(named or DEFAULT_OUTPUT)
    others = [] if args.fresh or not jobs else campaign_file.strangers(folder, asked, jobs)
    if not others:
        return folder, ()
    problems = sorted({each["instance"] for each in others} - {job.name for job in jobs})
    questions = sorted({question_as_name(each["goal"], each["limits"]) for each in others})
    what = counted(len(problems), "problem") if problems else f"another goal or other limits ({', '.join(questions)})"
    has = f"{folder} has records of {what} that this campaign does not ask for"
    if named:
        such = f", such as {problems[0]}" if problems else ""
        return folder, (f"{has}{such}: plots and reports show them too; tiler plot --filter leaves problems out",)
    name = Path(args.campaign).stem if args.campaign else campaign_file.short_name(asked)
    question = question_as_name(jobs[0].question.goal, jobs[0].head["limits"])
    owns = [folder.with_name(own) for own in (*([name] if problems else []), f"{name}-{question}")]
    for own in owns:
        if not campaign_file.strangers(own, asked, jobs):
            return own, (f"{has}, so the records of this campaign are in {own}; -o names another folder",)
    raise BadOption(f"{has}, and so has {' and '.join(map(str, owns))}; name another folder: -o results/NAME")


def _known(records: tuple[Record, ...], args: argparse.Namespace) -> tuple[Record, ...]:
    """The records of runs that need not be repeated."""
    from tiler.bench import code_fingerprint

    return records if args.reuse else code_fingerprint.made_here(records)


def _plan(args: argparse.Namespace) -> Campaign:
    """The campaign to run: the file, if there is one, with the options of the command, which win or choose among its problems."""
    from tiler.bench import plan
    from tiler.question.question import Goal

    asked = {
        "problems": args.problems,
        "solvers": tuple(args.solvers) or None,
        "goal": args.goal and Goal(args.goal),
        "time_limit": args.seconds,
        "memory_limit": args.memory,
        "threads": args.threads,
        "repeat": args.repeat,
        "seeds": args.seeds,
        "scramble": args.scramble,
    }
    for name, most in (
        ("repeat", plan.MOST_REPEATS),
        ("seeds", plan.MOST_REPEATS),
        ("scramble", plan.MOST_REPEATS),
        ("threads", plan.MOST_THREADS),
    ):
        number = getattr(args, name)
        if number and number > most:
            raise BadOption(f"--{name} {number}: at most {most:,}")
    given = plan.read(args.campaign) if args.campaign else plan.Campaign()
    if args.order is not None:
        given = replace(given, order=args.order)
    campaign = given.over({name: value for name, value in asked.items() if value is not None})
    if args.campaign:
        return campaign.narrowed(args.filter, args.tags)
    return campaign.over({"filter": tuple(args.filter), "tag": tuple(args.tags)})


def _make(
    todo: Sequence[Job],
    opened: Store,
    executor: str,
    order: RunOrder,
    answers: RecordedAnswers,
    shown: Reporter,
    *,
    warm: bool,
    pin: bool,
    early: EarlyFigure | None,
    other: Opponent | None,
) -> None:
    """Make the runs that are missing."""
    from tiler.bench import by_turns, campaign, code_fingerprint, measure

    options: Any = {
        "order": order,
        "answers": answers,
        "warm_seconds": measure.WARM_SECONDS if warm else 0.0,
        "on_start": shown.start,
        "on_tick": shown.tick,
    }
    others = 0
    for record in (
        campaign.make(todo, opened, executor, pin=pin, **options)
        if other is None
        else by_turns.make(todo, opened, other.store, other.code, **options)
    ):
        shown.end(record)
        others += not code_fingerprint.made_here([record])
        if early is not None:
            early.draw()
    if others:
        talk(f"warning: {others} runs were made by workers with another version of the code, and will be repeated next time")


def _draw(records: Sequence[Record], folder: Path) -> None:
    """Draw the plots that suit the records, if there are any, unless the same records were drawn there before."""
    from tiler.bench.stats import series, tabulate
    from tiler.process import files
    from tiler.report import chosen_records, draw, style

    drawn, version = folder / _DRAWN, _version_of(records)
    if drawn.is_file() and drawn.read_text("utf-8", "replace").strip() == version:
        print(printable.line(f"plots: in {folder}, drawn before from the same records; tiler plot draws them anew"))
        return
    if not any(draw.suitable(tabulate(some)) for some in series(records)):
        return
    talk("drawing")
    with style.laid_out(style.Layout(about=chosen_records.about(folder.parent))):
        done = draw.campaign(records, folder)
    files.write(drawn, f"{version}\n".encode())
    forms = " and ".join(draw.BY_DEFAULT)
    print(printable.line(f"plots: {counted(len(done), 'figure')} as {forms} with their data in {folder}; tiler report says more"))


def _version_of(records: Sequence[Record]) -> str:
    """A text that changes with the records that are drawn, and with Tiler."""
    parts = [__version__, *(json.dumps(record, sort_keys=True) for record in records)]
    return hashlib.sha256("\n".join(parts).encode("utf-8", "backslashreplace")).hexdigest()
