"""What every reader shares: files wherever they lie, choices, the contract, and how series become a set."""
