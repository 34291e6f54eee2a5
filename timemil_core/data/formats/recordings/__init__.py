"""Recordings with annotations (EDF, WFDB), cut into series."""
