"""The values that functions of this app return."""
