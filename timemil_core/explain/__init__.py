"""What a trained model looks at, and how far that can be trusted."""
