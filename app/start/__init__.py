"""The Start page and its parts."""
