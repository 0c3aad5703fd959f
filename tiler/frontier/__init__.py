"""The frontier dynamic programme: tilings counted, drawn at random and taken apart without being listed.

Fill the board in a fixed order of the cells, always covering the first open one. What remains to be solved depends on the first
open cell, the covered cells beyond it (the *profile*) and the copies in use; partial tilings that agree on these are merged into
one state.

    model.py    a cover in fill order, as the arrays of the kernels
    order.py    the fill orders, and which keeps the frontier short
    layers.py   all states, position by position, with the number of ways to reach each
    runs.py     the same on disk, in sorted runs
    walk.py     from the last state back: all tilings, or random ones
    cells.py    how many tilings use each placement
    search.py   depth first with remembered failures, to decide
    answer.py   which of these answers which question
"""
