"""The Trust page and its parts."""
