"""Draw plots, tables and reports of a campaign from stored records alone.

A kind of plot is one module with `HELP`, `suits(table)` and `draw(table)`; draw.py lists them and writes their files. What they
share: style.py (looks), panels.py (figures made of panels), names.py (what solvers and problems are called in them).
"""
