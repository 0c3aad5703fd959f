"""What is searched: the exact cover made of an instance, its reductions, and how it is split."""
