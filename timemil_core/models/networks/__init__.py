"""Other networks, each from its own paper, trained by the one trainer; ``models/building.py`` lists them."""
