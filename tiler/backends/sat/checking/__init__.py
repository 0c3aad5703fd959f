"""Does a proof by a SAT engine show that a problem has no tiling? Two halves that share nothing with encoders and engines.

`rup` follows the proof clause by clause: the CNF has no model. `faithful` holds the CNF against the problem: every tiling would
be a model. It takes facts from `problem`, and what clauses say them from `encodings`. `refutation` puts the two together.
"""
