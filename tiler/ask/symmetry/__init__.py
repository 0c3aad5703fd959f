"""Count and list tilings up to symmetry: by one placement of an anchor from each orbit, or by Burnside's lemma."""
