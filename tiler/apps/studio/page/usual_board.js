// The board that a person who chooses other cells sees first.

/** A small board, in words; none where boards of these cells have no names.
 * @param {{name: string}[]} forms the forms of boards that the lattice has @param {boolean} isSpace */
export function usualBoard([first], isSpace) {
  if (!first) return "";
  if (first.name.startsWith("hex:")) return isSpace ? "hex:2x2" : "hex:3";
  if (first.name.startsWith("tetrahedron:")) return "tetrahedron:1";
  return isSpace ? "3x3x3" : "6x6";
}
