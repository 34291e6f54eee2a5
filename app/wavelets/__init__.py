"""The Wavelets page and its parts."""
