"""Sweeps: data sets × settings × seeds, a run folder a cell, on one machine or many."""
