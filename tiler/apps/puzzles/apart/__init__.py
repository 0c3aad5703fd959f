"""Take the pieces of an assembly apart by straight moves. `taking` looks for the fewest moves. It searches `layers` of positions,
which `kernel` computes from tables of `distances`. `disassembly` is the answer, and `replay` verifies it."""
