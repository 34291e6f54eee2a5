"""The glossary: every technical word of the app in plain words."""
