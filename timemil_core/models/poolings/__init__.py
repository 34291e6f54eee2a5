"""MIL poolings σ (theorem 1): from a bag of instances to one vector. ``listing.py`` has their names."""
