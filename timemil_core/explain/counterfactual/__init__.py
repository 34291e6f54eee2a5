"""The smallest change by which the model decides otherwise."""

from timemil_core.explain.counterfactual.finding import Counterfactual, counterfactual
from timemil_core.explain.counterfactual.neighbours import nearest_unlike

__all__ = ["Counterfactual", "counterfactual", "nearest_unlike"]
