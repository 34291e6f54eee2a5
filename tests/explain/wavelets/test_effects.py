"""Which wavelets matter: changes of the predictions, against models that lack the wavelets in truth."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from tests.explain.builders import build_model, build_set
from timemil_core.errors import ModelError, SettingsError
from timemil_core.explain.wavelets import Removal, learned_wavelets, removal_effects, without
from timemil_core.explain.wavelets.passes import Passes
from timemil_core.models.authors.config import authors_config
from timemil_core.models.authors.network import AuthorsTimeMIL
from timemil_core.models.fingerprint import weights_fingerprint

REMOVALS = [Removal(), Removal(0), Removal(1, 2), Removal(0, 1, 3), Removal(1, 0, 7)]


@pytest.mark.parametrize("pooling", ["time-aware", "mean", "max", "attention", "conjunctive"])
def test_changes_are_those_of_the_model_that_lacks_them(pooling: str) -> None:
    model, series_set = build_model(pooling=pooling), build_set()  # series of unequal lengths: padded and masked
    removals = REMOVALS if pooling == "time-aware" else [Removal(0), Removal(0, 1, 3)]
    effects = removal_effects(model, series_set, removals)
    whole = model.predict(series_set.series)
    np.testing.assert_array_equal(effects.whole, whole.labels)
    rows = np.arange(len(series_set))
    for place, removal in enumerate(removals):
        less = without(model, removal).predict(series_set.series)
        np.testing.assert_array_equal(effects.predicted[place, 0], less.labels)
        logits = (less.logits - whole.logits)[rows, whole.labels]
        chances = (less.probabilities - whole.probabilities)[rows, whole.labels]
        np.testing.assert_allclose(effects.logit_changes[place, 0], logits, atol=1e-4)
        np.testing.assert_allclose(effects.probability_changes[place, 0], chances, atol=1e-5)
        assert effects.size[place] == pytest.approx(np.abs(logits).mean(), abs=1e-4)
        assert effects.changed[place, 0] == (less.labels != whole.labels).mean()
        assert effects.accuracy[place, 0] == (less.labels == series_set.labels).mean()


def test_what_was_taken_as_a_share_of_the_energy() -> None:
    model, series_set = build_model(), build_set()
    effects = removal_effects(model, series_set, [Removal(0), Removal(0, 1, 3)])
    kernels = torch.from_numpy(learned_wavelets(model)[0].kernels)
    encoding = model.timemil.pooling.layers.layers[0].encoding
    whole = one = 0.0
    with torch.inference_mode():
        for _, values, mask in model.batches(series_set.series):
            instances = model.timemil.backbone(values, mask)
            whole += float(encoding.added(instances, mask).square().sum())
            alone = torch.zeros(8, 19)
            alone[3] = kernels[1, 3]
            one += float(encoding.added_by(alone, instances, mask).square().sum())
    assert effects.energy[0] == 1
    assert effects.energy[1] == pytest.approx(one / whole, rel=1e-3)


def test_controls_take_away_as_much_in_each_feature() -> None:
    model, series_set = build_model(), build_set()
    taken = []
    before = Passes.logits

    class Spy(Passes):
        def logits(self, kernels=()):
            taken.append((self, kernels))
            return before(self, kernels)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("timemil_core.explain.wavelets.effects.Passes", Spy)
        removal_effects(model, series_set, [Removal(1)], n_controls=2)
    _, *three = taken
    passes = three[0][0]
    removed, first, second = (kernels[1] for _, kernels in three)
    assert all(kernels[0] is None for _, kernels in three)
    for control in (first, second):
        np.testing.assert_allclose(passes.energy(1, control), passes.energy(1, removed), rtol=1e-4)
        assert not np.allclose(control, removed)
    assert not np.allclose(first, second)


def test_a_removal_that_does_nothing_beats_no_control_and_one_that_does_all_beats_them() -> None:
    model, series_set = build_model(), build_set()
    quiet = build_model()
    with torch.no_grad():  # the classifier reads what layer 2 gathers from feature 3 alone: its kernels matter
        for layer in quiet.network.pooling.layers.layers:
            layer.attention.output.weight.zero_()
    nothing = removal_effects(quiet, series_set, [Removal(1, 0, 3)], n_controls=4)
    assert nothing.size[0] == 0 and nothing.beats[0] == 0 and nothing.changed[0, 0] == 0
    effects = removal_effects(model, series_set, REMOVALS, n_controls=4)
    np.testing.assert_allclose(effects.beats, (effects.sizes[:, :1] > effects.sizes[:, 1:]).mean(axis=1))
    assert effects.control_sizes.shape == (5, 4) and np.all(effects.control_sizes > 0)


def test_the_same_seed_the_same_controls_and_the_model_stays() -> None:
    model, series_set = build_model(), build_set()
    before = weights_fingerprint(model.network)
    one, same, other = (removal_effects(model, series_set, REMOVALS, seed=seed) for seed in (0, 0, 1))
    np.testing.assert_array_equal(one.logit_changes, same.logit_changes)
    np.testing.assert_array_equal(one.logit_changes[:, 0], other.logit_changes[:, 0])
    assert not np.allclose(one.logit_changes[:, 1], other.logit_changes[:, 1])
    assert weights_fingerprint(model.network) == before


def test_unknown_classes_are_left_out_of_the_accuracy() -> None:
    series_set = build_set()
    half = replace(series_set, labels=np.where(np.arange(12) < 6, -1, series_set.labels))
    effects = removal_effects(build_model(), half, [Removal(0)])
    assert effects.n_known == 6 and effects.n_series == 12
    assert effects.accuracy[0, 0] == (effects.predicted[0, 0] == half.labels)[6:].mean()
    unknown = removal_effects(build_model(), replace(series_set, labels=np.full(12, -1)), [Removal(0)])
    assert unknown.accuracy is None and unknown.whole_accuracy is None


def test_progress_counts_passes_and_cancels() -> None:
    told: list[tuple[int, int]] = []

    class EnoughError(Exception):
        pass

    def progress(done: int, of: int) -> None:
        told.append((done, of))
        if done == 3:
            raise EnoughError

    with pytest.raises(EnoughError):
        removal_effects(build_model(), build_set(), REMOVALS, n_controls=2, progress=progress)
    assert told == [(1, 15), (2, 15), (3, 15)]


def test_an_imported_network_with_its_linear_map() -> None:
    torch.manual_seed(0)
    network = AuthorsTimeMIL(authors_config(n_channels=2, n_classes=3, embedding_width=8)).eval()
    model = replace(build_model(), network=network, supervised=None)
    effects = removal_effects(model, build_set(), [Removal(0), Removal(1, 2, 4)])
    less = without(model, Removal(1, 2, 4)).predict(build_set().series)
    rows = np.arange(12)
    logits = (less.logits - model.predict(build_set().series).logits)[rows, effects.whole]
    np.testing.assert_allclose(effects.logit_changes[1, 0], logits, atol=1e-4)


def test_bad_questions_are_told() -> None:
    with pytest.raises(SettingsError, match="nothing to remove"):
        removal_effects(build_model(), build_set(), [])
    with pytest.raises(ModelError, match="no wavelets"):
        removal_effects(build_model(positional_encoding="none"), build_set(), [Removal()])
