from tests.quick import few_places
from tests.training.conftest import home, one_thread

__all__ = ["few_places", "home", "one_thread"]
