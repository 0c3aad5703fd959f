"""Take the pieces of an assembly apart by straight moves. `search` looks for the fewest moves in layers of positions, which
`kernel` computes from tables of `distances`. `disassembly` is the answer, and its check."""
