"""What all methods of the frontier share: fill order, arrays of the cover, profiles, symmetries of states, search depth first."""
