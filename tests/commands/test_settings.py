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


def test_another_network_has_settings_of_its_own() -> None:
    assert read_settings(["n_blocks=4", "seed=3"], ["mamba"]) == ({"n_blocks": 4}, {"seed": 3})
    assert read_settings(["period=7"], ["lstnet"]) == ({"period": 7}, {})
    with pytest.raises(SettingsError, match="n_blocks is 'many'"):
        read_settings(["n_blocks=many"], ["mamba"])


@pytest.mark.parametrize(
    ("preset", "text", "own"),
    [
        ("mamba", "pooling=mean", "n_blocks"),
        ("mamba", "network=fcn", "n_blocks"),
        ("mamba", "n_timepoints=3", "n_blocks"),
        ("fcn", "n_blocks=4", "none"),
    ],
)
def test_what_is_no_setting_of_it_is_told_with_those_that_are(preset: str, text: str, own: str) -> None:
    with pytest.raises(SettingsError, match=f"{preset} has no setting {text.partition('=')[0]!r}") as told:
        read_settings([text], [preset])
    assert f"Its own: {own}. Training: n_epochs," in str(told.value.remedy)


def test_a_network_that_is_fitted_at_once_has_none() -> None:
    with pytest.raises(SettingsError, match="minirocket has no setting 'pooling'"):
        read_settings(["pooling=mean"], ["minirocket"])
    assert read_settings(["seed=2"], ["minirocket"]) == ({}, {"seed": 2})


def test_an_ensemble_has_its_own_and_those_of_its_networks() -> None:
    texts = ["of=default", "n_networks=5", "with_minirocket=no", "dropout=0.1"]
    model, _ = read_settings(texts, ["ensemble"])
    assert model == {"of": "default", "n_networks": 5, "with_minirocket": False, "dropout": 0.1}
    for text in ("minirocket=1", "settings=1", "network=fcn"):
        with pytest.raises(SettingsError, match="no setting"):
            read_settings([text], ["ensemble"])


def test_several_networks_have_the_settings_of_each() -> None:
    assert read_settings(["n_blocks=4", "pooling=mean"], ["mamba", "default"])[0] == {"n_blocks": 4, "pooling": "mean"}
