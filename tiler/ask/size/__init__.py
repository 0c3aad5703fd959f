"""Estimate how large searches are before they are made, and choose the smallest one."""
