"""The Attention page and its parts."""
