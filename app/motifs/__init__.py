"""The Motifs page and its parts."""
