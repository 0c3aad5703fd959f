"""Questions about unlimited copies of tiles: rectangles and boxes, the plane, Heesch numbers, series."""
