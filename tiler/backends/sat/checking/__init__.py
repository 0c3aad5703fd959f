"""Check whether a proof by a SAT engine shows that a problem has no tiling. Two halves share nothing with encoders and engines.

`rup` follows the proof clause by clause, which shows that the CNF has no model. `faithful` compares the CNF with the problem,
which shows that every tiling would be a model. It takes facts from `problem`; `thresholds` shows that clauses
follow from a number of true literals. `refutation` puts the two together.
"""
