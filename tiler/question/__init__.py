"""Questions and answers as types: goals and limits, what a running search says, verdicts, certificates."""
