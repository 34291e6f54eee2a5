"""The Compare page: models side by side."""
