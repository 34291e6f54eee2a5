"""A set that was read, made ready for learning: what its report leaves to choose, and what follows from the choices."""

from timemil_core.data.shaping.shape import Shaped, follow, shape

__all__ = ["Shaped", "follow", "shape"]
