"""Run any function within limits: in a process of its own, several at a time, or on other machines."""
