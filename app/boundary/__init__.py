"""The Decision boundary page and its parts."""
