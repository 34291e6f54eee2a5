"""A classifier of the caller's own: any fitted object with ``predict_proba``, seen by everything that the house has."""
