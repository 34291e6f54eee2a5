"""The Train page and its parts."""
