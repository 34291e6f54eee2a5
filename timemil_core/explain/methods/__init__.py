"""The importance methods, one idea a file; ``explain.importance`` lists them."""
