"""Define questions and answers as types: goals and limits, events of a running search, verdicts, certificates."""
