from tests.training.conftest import home, one_thread

__all__ = ["home", "one_thread"]
