"""Several networks as one: they are trained apart, and what they say is averaged."""
