"""The parts of the What if page, an idea a file."""
