"""TimeMIL: multivariate time series as bags of instances, and what a model of them has learned."""

__version__ = "0.1.0"
