"""What to know of a set before a result on it is believed: one small check a question, one report of them all.

A check is a function from ``Measured`` to report lines; a new one is added to ``CHECKS`` in ``reporting.py``.
"""

from timemil_core.data.checks.model_fit import fit_to_model
from timemil_core.data.checks.reporting import report

__all__ = ["fit_to_model", "report"]
