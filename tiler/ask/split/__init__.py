"""Answer one question by several processes, on this machine or on a cluster: split it, search the subproblems, add them up."""
