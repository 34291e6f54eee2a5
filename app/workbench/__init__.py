"""The Series page and its parts."""
