"""Whether a proof by a SAT engine shows that a problem has no tiling: two halves that share nothing with encodings and engines.

`rup` follows the proof clause by clause: the CNF has no model. `faithful` holds the CNF against the problem: every tiling would
be a model.
"""
