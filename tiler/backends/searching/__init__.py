"""What our own searches share: the loop around a kernel, threads that divide a tree, checkpoints."""
