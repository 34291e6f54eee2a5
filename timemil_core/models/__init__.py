"""The network: backbone, positional encodings, attention, poolings, and TimeMIL, which is the four together."""
