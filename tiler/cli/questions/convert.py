"""`tiler convert`: write a problem in the language of another solver."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from tiler import printable
from tiler.backends.languages import LANGUAGES, Language, of_file
from tiler.cli.shared import arguments, declared, output, verdicts
from tiler.cli.shared.declared import OPTIONS
from tiler.errors import BadOption
from tiler.process import files
from tiler.question.parameters import COMMON, fields_of, one_of

if TYPE_CHECKING:
    from tiler.backends.base import Backend
    from tiler.backends.languages.writing import WrittenProblem
    from tiler.cover.cover import Cover

HELP = "write a problem in another program's format: CNF, OPB, LP, ..."
EXAMPLES = """\
  tiler convert problems/4L/10x10_u.txt -o out.cnf
  tiler convert 11x7 4T 3:3I -o out.cnf --solver sat:encoding=amk-totalizer,cell=pairwise
  tiler convert problems/4L/10x10_u.txt -o out.opb
  tiler convert 8x8 5X -o out.opb --maximise cells
  tiler convert 8x8 5X -o out.wcnf --maximise cells
  tiler convert 6x6 2 -o out.cnf --format mc
  tiler convert problems/4L/10x10_u.txt -o out.lp --solver ilp:objective=geq-min
  tiler convert problems/misc/03_s.txt -o out.mzn    (and out.dzn beside it)
  tiler convert 6x10 1:X 1:I 10:5P -o out.dlx --reflections
  tiler convert 6x10 1:X 1:I 10:5P -o out.xmpuzzle --reflections
"""

_DESCRIPTION = (
    """\
Write a problem in a language of other solvers, to a file (-o OUT) or to standard output. The
ending of OUT says which language, or --format:

"""
    + "".join(f"  {name:9} for {each.about}\n" for name, each in LANGUAGES.items() if not each.is_problem)
    + """\
  xmpuzzle  the problem itself, for BurrTools; likewise text and json

Comments in a file say what its variables mean. tiler check --of checks an answer to the
file. With --optimise, --maximise or --minimise the file asks for the best tiling.
"""
)


_MODEL = "choose the model: sat:encoding=... for clauses, ilp:objective=... for opb, lp, mps; others take filter=, anchor="


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = _DESCRIPTION
    arguments.add_problem(parser, covers=True)
    declared.add(
        parser,
        fields_of(COMMON, OPTIONS),
        *("output", "load", "solver"),
        output="write to a file; - for standard output, with --format",
        solver={"help": _MODEL, "default": None},
    )
    declared.add(parser, verdicts.OPTIONS)
    declared.add(
        parser,
        OPTIONS,
        "format",
        format={"help": "choose the language", "kind": one_of(*LANGUAGES), "absent": "the ending of OUT"},
    )


def run(args: argparse.Namespace) -> int:
    from tiler.backends.languages import writing

    *words, last = args.problem
    if words and of_file(last) and not Path(last).is_file():
        raise BadOption(f"the file to write has an option: -o {last}")
    if args.output is None and not args.format:
        raise BadOption("name the file to write, or the language: tiler convert problem.txt -o out.cnf, or --format cnf")
    args.output = "-" if args.output is None else args.output
    language = _language(args)
    if language.is_problem:
        if args.solver or verdicts.asked(args):
            raise BadOption(f"{language.name} is the problem itself: leave out --solver and the options for the best tiling")
        _put(args.output, writing.write_problem(language.name, arguments.read_problem(args)))
        return 0
    backend = _backend(args, language)
    cover: Cover
    best_of = verdicts.WEIGHT
    if declared.is_cover(args):
        cover, title, noun = arguments.read_cover(args), args.problem[0], "solution"
    else:
        from tiler.cover.board import BoardCover

        instance, best_of = verdicts.of(args, arguments.read_problem(args))
        cover, title, noun = BoardCover.of(instance), instance.heading, "tiling"
    header = [title, f"written by tiler convert, {backend}"]
    if verdicts.asked(args):
        header.append(f"{verdicts.ASKED}{best_of.name}")
    if language.name == "mzn":
        header.append(f"minizinc --solver gecode {Path(args.output).name} {Path(args.output).with_suffix('.dzn').name}")
    wanted = writing.WriteRequest(language.name, backend if language.model else None, header, verdicts.asked(args))
    written = writing.write(wanted, _reduced(backend, cover, noun))
    if language.name == "cnf" and args.verbose:
        _put_hashed(args.output, written)
    else:
        _put(args.output, written)
    return 0


def _language(args: argparse.Namespace) -> Language:
    """The language to write in."""
    language = LANGUAGES[args.format] if args.format else of_file(args.output)
    if language is None:
        endings = ", ".join(f".{each.files[0]}" for each in LANGUAGES.values())
        raise BadOption(f"{args.output}: its ending says nothing; choose one of {endings}")
    several, is_bytes = len(language.files) > 1, language.name == "xmpuzzle"
    if (several or is_bytes) and (args.output == "-" or not Path(args.output).name):
        raise BadOption(f"{language.about} needs {'two files' if several else 'a file'}; name one that ends in .{language.name}")
    return language


def _backend(args: argparse.Namespace, language: Language) -> Backend:
    """The backend that filters the cover, and that makes the model if the language leaves a choice."""
    from tiler.backends.registry import parse_spec

    wanted = parse_spec(args.solver or language.model or "backtracking")
    kind = language.model.partition(":")[0]
    if kind and wanted.name != kind:
        like = f"name its options, as in {kind}:filter=dead"
        raise BadOption(f"--solver {args.solver}: a .{language.name} is the model of {kind}; {like}")
    return wanted


def _reduced(backend: Backend, cover: Cover, noun: str) -> Cover:
    """The cover without the placements that the backend filters out. A note is printed if there can be no solution."""
    from tiler.question.question import Question

    refusal = cover.refusal()
    if refusal is None:
        cover = backend.reduce(cover, Question())
        refusal = cover.refusal()
    if refusal is not None:
        print(f"tiler: note: there is no {noun} ({printable.line(refusal)}), which solvers may find hard to see", file=sys.stderr)
    return cover


def _put_hashed(out: str, written: WrittenProblem) -> None:
    """Write a CNF file, and say on stderr under which hash the Global Benchmark Database knows such a file."""
    from tiler.backends.sat.dimacs import GbdHash

    gbd = GbdHash()
    _put(out, replace(written, files={"cnf": gbd.through(map(str, written.files["cnf"]))}))
    print(f"tiler: {printable.line(Path(out).name)}: GBD hash {gbd.hexdigest}", file=sys.stderr)


def _put(out: str, written: WrittenProblem) -> None:
    """Write the files: the first by its name, others beside it."""
    for number, (ending, content) in enumerate(written.files.items()):
        path = str(Path(out).with_suffix(f".{ending}")) if number else out
        if isinstance(content, bytes):
            files.write(path, content)
            continue
        with output.opened(path) as file:
            file.writelines(f"{line}\n" for line in content)
