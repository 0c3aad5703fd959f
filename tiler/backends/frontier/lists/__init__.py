"""Count states by lists, one for each profile, in memory or on disk: keys may have any length."""
