"""Count states that fit into one word, in hash tables."""
