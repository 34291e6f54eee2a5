"""A classifier of the caller's own, in Python and in the app."""

from timemil_core.exploring.app import Exploration, explore
from timemil_core.exploring.asking import margins_of
from timemil_core.exploring.own import own_model, set_of

__all__ = ["Exploration", "explore", "margins_of", "own_model", "set_of"]
