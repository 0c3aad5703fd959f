// An order of cells that is being drawn, as numbers of cells. Nothing here knows the page.

/** The order with one more cell; with a cell that is in it, the order up to this one. @param {number[]} cells @param {number} cell */
export function taken(cells, cell) {
  const at = cells.indexOf(cell);
  return at < 0 ? [...cells, cell] : cells.slice(0, at + 1);
}

/** The order with the cells that are new in a stroke. @param {number[]} cells @param {number[]} more */
export function stroked(cells, more) {
  return [...new Set([...cells, ...more])];
}

/** An order that was begun, with the cells that are left behind it. @param {number[]} cells @param {number} all how many cells there are */
export function completed(cells, all) {
  return stroked(cells, Array.from({ length: all }, (_, cell) => cell));
}
