"""Ask about several problems with one command: files, problems of Tiler, and folders of files."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from tiler import printable
from tiler.cli.main import INTERRUPTED
from tiler.errors import BadOption, InputError


def one_by_one(run: Callable[[argparse.Namespace], int]) -> Callable[[argparse.Namespace], int]:
    """A command that runs for each of several problems, each below its name; its exit status is the largest of theirs."""

    def run_each(args: argparse.Namespace) -> int:
        paths = _problems(args)
        if paths is None:
            return run(args)
        if args.output or getattr(args, "proof", None):
            raise BadOption(f"-o and --proof write a file about one problem, and there are {len(paths)}")
        status = 0
        for one in separate(args):
            if args.format in (None, "text"):
                print(f"{printable.line(one.problem[0])}:", flush=True)
            status = max(status, run(one))
            if status == INTERRUPTED:
                break
        return status

    return run_each


def separate(args: argparse.Namespace) -> list[argparse.Namespace]:
    """The arguments for each problem alone."""
    paths = _problems(args)
    return [args] if paths is None else [argparse.Namespace(**{**vars(args), "problem": [path]}) for path in paths]


def _problems(args: argparse.Namespace) -> list[str] | None:
    """The problems that the words name, if they are several or in a folder; None if they name one problem."""
    from tiler.formats import library, names_problem

    words = args.problem
    if not any(Path(word).is_dir() for word in words) and (len(words) == 1 or "-" in words):
        return None
    if not all(Path(word).is_dir() or names_problem(word, args.lattice) for word in words):
        return None
    paths: list[str] = []
    for word in words:
        endings = {f".{ending}" for ending in library.ENDINGS}
        inside = sorted(str(path) for path in Path(word).rglob("*") if path.suffix in endings) if Path(word).is_dir() else [word]
        if not inside:
            raise InputError("there is no problem in this folder", word)
        paths += inside
    return paths
