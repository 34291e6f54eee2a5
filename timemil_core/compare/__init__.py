"""Models side by side: how good each is on one set, where they disagree, and which is better over several sets."""
