"""Filter tilings by their features, such as *no fault line*: no backend knows features."""
