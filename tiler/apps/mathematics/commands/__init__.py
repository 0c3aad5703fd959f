"""The commands of this app, one module each."""
