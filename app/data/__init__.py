"""The Data page and its parts."""
