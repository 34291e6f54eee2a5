"""Classifiers of other makers, fitted at once: what TimeMIL is held against, and what can be explained beside it."""
