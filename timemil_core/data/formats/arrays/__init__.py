"""NumPy arrays (.npy, .npz): read without pickle, their shapes checked before memory is spent."""
