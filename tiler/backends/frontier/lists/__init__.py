"""Count states by lists, one for each profile: keys may have any length."""
