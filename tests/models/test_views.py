import pytest
import torch

from tests.models.builders import batch, small_config, small_network
from timemil_core.explain.sanity.randomised import stages
from timemil_core.models.backbone import InceptionTimeBackbone
from timemil_core.models.config import preset
from timemil_core.models.views import SeveralViews, blocks_of, over_what_was_seen, sight_shares
from timemil_core.training.config import training_preset

NARROW = {"kernel_sizes": (3, 5, 9), "n_modules": 2, "positional_encoding": "none", "pooling": "conjunctive"}


@pytest.mark.parametrize(("n_modules", "blocks"), [(1, [1]), (2, [2]), (3, [3]), (4, [3, 1]), (6, [3, 3])])
def test_a_residual_connection_goes_around_every_three_modules(n_modules: int, blocks: list[int]) -> None:
    network = small_network(**{**NARROW, "n_modules": n_modules})
    assert isinstance(network.backbone, InceptionTimeBackbone)
    assert [len(block.inception_modules) for block in blocks_of(network).values()] == blocks
    assert network(torch.randn(2, 2, 30)).shape == (2, 3)


@pytest.mark.parametrize("views", [(1,), (1, 2)])
def test_an_instance_sees_as_far_as_the_settings_say(views: tuple[int, ...]) -> None:
    network = small_network(**NARROW, views=views, embedding_width=64).double()
    values = torch.randn(1, 2, 101, dtype=torch.float64, requires_grad=True)
    (gradient,) = torch.autograd.grad(network.backbone(values)[0, 50].sum(), values)
    seen = (gradient[0].abs().sum(dim=0) > 1e-9).nonzero()[:, 0]
    assert 17 * max(views) - 4 <= seen.max() - seen.min() + 1 <= network.config.sight


def test_views_stand_side_by_side_in_an_instance() -> None:
    network = small_network(**NARROW, views=(1, 2))
    assert isinstance(network.backbone, SeveralViews)
    values = torch.randn(2, 2, 40)
    with torch.no_grad():
        together = network.backbone(values)
        assert together.shape == (2, 40, 8)
        for place, view in enumerate(network.backbone.views):
            torch.testing.assert_close(view(values), together[..., 4 * place : 4 * place + 4])
    assert network.n_stages == 2 * (1 + 2)


def test_each_view_has_its_own_evidence_and_all_add_up_to_the_logits() -> None:
    network = small_network(**NARROW, views=(1, 2, 4), embedding_width=12)
    _, values, mask = batch([40, 25], 40)
    with torch.no_grad():
        output = network.detailed(values, mask)
        weights, evidence = network.pooling.by_view(output.instances)
        assert weights.shape == (3, 2, 40) and evidence.shape == (3, 2, 40, 3)
        torch.testing.assert_close(output.weights.instances, weights.mean(dim=0) * mask)
        kept = evidence.sum(dim=0) * mask[..., None]
        torch.testing.assert_close(output.logits, kept.sum(dim=1) / torch.tensor([[40.0], [25.0]]))
    pooled = output.instances[:1]
    found = network.contributions(pooled, lambda logits: logits[:, 1])
    torch.testing.assert_close(found.instances, evidence.sum(dim=0)[0, :, 1] / 40)
    assert not found.rest


def test_a_series_is_classified_alike_alone_and_in_a_padded_batch() -> None:
    network = small_network(**NARROW, views=(1, 2))
    series, values, mask = batch([40, 25], 60)
    with torch.no_grad():
        together = network(values, mask)
        for row, one in enumerate(series):
            torch.testing.assert_close(together[row], network(one[None])[0], atol=1e-5, rtol=1e-5)


def test_every_weight_is_in_a_stage_that_is_made_random() -> None:
    network = small_network(**NARROW, views=(1, 2))
    titles, prefixes = zip(*stages(network), strict=True)
    assert titles == ("pooling", "backbone block 2", "backbone block 1")
    for name in network.state_dict():
        assert any(name.startswith(prefix) for prefix in prefixes)


def test_wide_kernels_are_convolved_in_long_blocks() -> None:
    network = small_network(**NARROW, views=(20,)).double()
    values = torch.randn(1, 2, 400, dtype=torch.float64)
    with torch.no_grad():
        plain = network(values)
    torch.testing.assert_close(network(values), plain)


def test_an_instance_sees_what_stacked_kernels_see() -> None:
    narrow = small_config(kernel_sizes=(1, 3), n_modules=2, embedding_width=12)
    torch.testing.assert_close(sight_shares(narrow, 1), torch.tensor([1, 2, 3, 2, 1], dtype=torch.float64) / 9)
    even = small_config(kernel_sizes=(4,), n_modules=1)
    torch.testing.assert_close(sight_shares(even, 1), torch.tensor([0, 1, 1, 1, 1], dtype=torch.float64) / 4)
    assert len(sight_shares(even, 9)) == 2 * 18 + 1


@pytest.mark.parametrize("n_timepoints", [1, 3, 50])
def test_what_is_spread_over_what_was_seen_keeps_its_sum(n_timepoints: int) -> None:
    config = small_config(kernel_sizes=(3, 4), n_modules=2, views=(1, 3), embedding_width=12)
    values = torch.randn(2, 4, n_timepoints, 3, dtype=torch.float64)
    spread = over_what_was_seen(values, config)
    torch.testing.assert_close(spread.sum(dim=2), values.sum(dim=2))
    alone = over_what_was_seen(values[:, 1:2], config)
    torch.testing.assert_close(spread[:, 1:2], alone)


def test_nothing_is_spread_over_what_was_not_observed() -> None:
    config = small_config(kernel_sizes=(3, 4), n_modules=2, views=(1, 3), embedding_width=12)
    mask = torch.ones(2, 30, dtype=torch.bool)
    mask[0, 20:] = mask[1, 5:25] = False
    values = torch.randn(2, 2, 30, 3, dtype=torch.float64) * mask[..., None]
    spread = over_what_was_seen(values, config, mask)
    assert spread[:, ~mask].abs().max() == 0
    torch.testing.assert_close(spread.sum(dim=2), values.sum(dim=2))
    torch.testing.assert_close(spread[:, :1, :20], over_what_was_seen(values[:, :1, :20], config))


def test_it_falls_where_the_kernels_looked() -> None:
    config = small_config(kernel_sizes=(4,), n_modules=1)  # looks one point back and two ahead
    one = torch.zeros(1, 1, 9, 1)
    one[0, 0, 4] = 4
    assert over_what_was_seen(one, config)[0, 0, :, 0].tolist() == [0, 0, 0, 1, 1, 1, 1, 0, 0]
    one[0, 0, 4], one[0, 0, 8] = 0, 4  # at the end over the two that there are
    assert over_what_was_seen(one, config)[0, 0, :, 0].tolist() == [0, 0, 0, 0, 0, 0, 0, 2, 2]


def test_a_network_marks_what_adds_most_to_the_class_that_it_says() -> None:
    network = small_network(**{**NARROW, "embedding_width": 16}, views=(1, 2), evidence="sight")
    series, values, mask = batch([40, 25], 60)
    shares = torch.tensor([0.5, 0.13])
    with torch.no_grad():
        whole, alone = network(values, mask, None, shares).unbind(dim=1)
        torch.testing.assert_close(whole, network(values, mask))
        marked = network.pooling.marked(network.backbone(values, mask), mask, shares)
        torch.testing.assert_close(alone, network(values, marked))
    assert marked.sum(dim=1).tolist() == [20, 4]
    for place, one in enumerate(series):
        said = int(whole[place].argmax())
        with torch.no_grad():
            pooled = network.backbone(one[None])
        added = network.contributions(pooled, lambda logits, said=said: logits[:, said]).instances
        most = added.topk(int(marked[place].sum())).indices.sort().values
        assert marked[place].nonzero()[:, 0].tolist() == most.tolist()


def test_what_is_marked_alone_leaves_no_trace_in_the_running_statistics() -> None:
    network, other = (
        small_network(**{**NARROW, "embedding_width": 16, "dropout": 0.0}, views=(1, 2)) for _ in range(2)
    )
    other.load_state_dict(network.state_dict())
    _, values, mask = batch([40, 25], 60)
    network.train()(values, mask)
    other.train()(values, mask, None, torch.tensor([0.5, 0.2]))
    for name, one in network.named_buffers():
        torch.testing.assert_close(dict(other.named_buffers())[name], one, rtol=0, atol=0)


def test_the_preset_for_long_series_sees_49_and_265_time_points() -> None:
    config = preset("faithful-long", n_channels=1, n_classes=10)
    assert [len(sight_shares(config, view).nonzero()) for view in config.views] == [49, 265]
    assert config.sight == 265
    assert training_preset("faithful-long").circular_shift


def test_what_has_a_class_token_marks_nothing() -> None:
    assert not small_network().marks
    assert small_network(pooling="conjunctive").marks


def test_evidence_told_of_what_was_seen_is_of_the_same_logits() -> None:
    told, of_its_own = (
        small_network(**{**NARROW, "embedding_width": 16}, views=(1, 2), evidence=place)
        for place in ("sight", "instance")
    )
    values = torch.randn(1, 2, 40)
    with torch.no_grad():
        pooled = told.backbone(values)
        torch.testing.assert_close(told(values), of_its_own(values), rtol=0, atol=0)
        spread, plain = (one.contributions(pooled, lambda logits: logits[:, 0]) for one in (told, of_its_own))
    torch.testing.assert_close(spread.of_views, plain.of_views)
    torch.testing.assert_close(spread.instances.sum(), plain.instances.sum())
    assert not torch.allclose(spread.instances, plain.instances)
    assert not spread.rest
