"""Training: augmentation, optimiser, loop, run folder, and the process that runs them."""
