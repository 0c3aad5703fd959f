"""What the backend `fila` is made of, beside its kernels: orderings, image lists, and the objects that run a search."""
