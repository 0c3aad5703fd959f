"""Runs of any function within limits: in a process of their own, several at a time, on other machines."""
