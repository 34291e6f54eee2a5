"""Series in: the one container, a reader a source, synthetic sets, and preparation fitted on training series."""
