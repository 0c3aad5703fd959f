"""An artifact: a zip with a campaign, its records and figures, and all that is needed to make them again without a network."""
