// Which part of a long list is seen.

/** The entries of a list in rows that are drawn when it is scrolled to `top`: a row more above and below than are seen.
 * @param {number} count @param {{top: number, width: number}} at @param {{wide: number, high: number, view: number}} size */
export function window(count, { top, width }, { wide, high, view }) {
  const columns = Math.max(1, Math.floor(width / wide));
  const rows = Math.ceil(count / columns);
  const from = Math.max(0, Math.min(rows - 1, Math.floor(top / high)) - 1);
  const to = Math.min(rows, Math.ceil((top + view) / high) + 1);
  return { columns, first: from * columns, last: Math.min(count, to * columns), height: rows * high, top: from * high };
}
