"""The command line: argparse and printing only, one small module per command.

A command's module has HELP (one line), EXAMPLES (text), `configure(parser)` and `run(args) -> exit code`.
"""
