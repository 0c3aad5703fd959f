"""Count in two halves that meet in the middle, for tiles that keys tell apart."""
