import pytest

from timemil_core.commands.settings import read_settings
from timemil_core.errors import SettingsError


def test_values_take_the_kind_of_their_setting() -> None:
    model, training = read_settings(
        ["pooling=conjunctive", "embedding_width=64", "dropout=0.1", "wavelet_projection=true", "seed=3",
         "learning_rate=1e-2", "with_supervised=no", "selection=last", "kernel_sizes=3/5/9", "views=4"]
    )  # fmt: skip
    numbers = {"kernel_sizes": (3, 5, 9), "views": (4,)}
    assert model == {
        "pooling": "conjunctive", "embedding_width": 64, "dropout": 0.1, "wavelet_projection": True, **numbers
    }  # fmt: skip
    assert training == {"seed": 3, "learning_rate": 0.01, "with_supervised": False, "selection": "last"}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("pooling", "no '='"),
        ("depth=3", "no setting 'depth'"),
        ("n_classes=3", "no setting 'n_classes'"),
        ("n_epochs=ten", "a whole number"),
        ("dropout=little", "a number"),
        ("kernel_sizes=3;5", "slashes between, such as 3/5/9"),
        ("with_supervised=perhaps", "true or false"),
    ],
)
def test_what_cannot_be_read_is_told(text: str, told: str) -> None:
    with pytest.raises(SettingsError, match=told):
        read_settings([text])
