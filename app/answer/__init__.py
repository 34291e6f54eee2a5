"""The answer page and its parts."""
