"""Take the pieces of an assembly apart by straight moves: `taking` looks for the fewest moves by `layers` of positions, which
`kernel` makes by tables of `distances`; `disassembly` is the answer, which `replay` verifies."""
