"""Keep the states that lead to tilings as a decision diagram, and draw tilings from it at random."""
