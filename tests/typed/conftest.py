"""The files here are for mypy and ruff alone: nothing imports them."""

collect_ignore_glob = ["*.py"]
