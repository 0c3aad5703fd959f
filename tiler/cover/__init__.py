"""Make what is searched: the exact cover of an instance, its reductions, and its split into subproblems."""
