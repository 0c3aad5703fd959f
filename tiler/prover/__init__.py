"""Proofs that a board cannot be tiled: found by stages (`prove.py`), written down (`certificate.py`), told in a sentence
(`sentence.py`), drawn (`picture.py`), and checked by code that shares nothing with the rest (`checker.py`).

The stages, each sound by the theorem named in its module: counts (area), lattice (every colouring argument at once), weights
(linear programming), probe (placements ruled out one by one) and cases.
"""
