"""Draw plots, tables and reports of a campaign from stored records alone.

A kind of plot is one module with `HELP`, `suits(table)` and `draw(table)`; draw.py lists the kinds and writes their files. All
kinds share style.py (looks), panels.py (figures made of panels) and names.py (names of solvers and problems).
"""
