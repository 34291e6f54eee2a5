"""Networks of other papers beside those of other libraries: with the same weights they say the same.

The libraries are no dependency: what is not installed is not compared. Each weight that theirs uses is taken by name
and shape, and ours has none besides but biases and what a test calls its own, so that sizes are compared too.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib import import_module
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.nn.functional import gelu

from timemil_core.models.building import build
from timemil_core.models.config import preset
from timemil_core.models.networks.base import OtherNetwork
from timemil_core.models.networks.crossformer import Crossformer
from timemil_core.models.networks.dlinear import WINDOW, DLinear
from timemil_core.models.networks.fcn import FullyConvolutionalNetwork
from timemil_core.models.networks.fedformer import EncoderLayer, FEDformerConfig
from timemil_core.models.networks.micn import MICNConfig, Scale
from timemil_core.models.networks.mlstm_fcn import MLSTMFCN
from timemil_core.models.networks.moderntcn import ModernTCN
from timemil_core.models.networks.patchtst import PatchTST
from timemil_core.models.networks.scinet import Tree
from timemil_core.models.networks.tapnet import TapNet
from timemil_core.models.networks.timesnet import TimesNet

N_SERIES, N_CHANNELS, N_CLASSES = 3, 4, 5
SIZES: dict[str, Any] = {"n_channels": N_CHANNELS, "n_classes": N_CLASSES, "network": ""}
ALL = torch.ones(N_SERIES, 96, dtype=torch.bool)  # time points are observed


@pytest.fixture(autouse=True)
def seeded() -> None:
    torch.manual_seed(0)


def of_library(path: str) -> Any:
    library = path.partition(".")[0]
    pytest.importorskip(library, reason=f"{library}, with which this is compared, is not installed")
    return import_module(path)


def drawn(theirs: nn.Module) -> Any:
    """Weights such as no network begins with: what were constants, biases and batch statistics differ too."""
    with torch.no_grad():
        for weight in theirs.parameters():
            if weight.ndim > 1:
                weight.normal_(std=weight[0].numel() ** -0.5)
            else:
                weight.add_(torch.randn_like(weight), alpha=0.2)
        for module in theirs.modules():
            if isinstance(module, nn.BatchNorm1d) and module.running_mean is not None:
                module.running_mean.normal_(std=0.5)
                nn.init.uniform_(module.running_var, 0.5, 2.0)  # type: ignore[arg-type]
    return theirs.eval()


def network(kind: type[OtherNetwork], n_timepoints: int, **settings: Any) -> Any:
    return kind(kind.of_config(**{**SIZES, "n_timepoints": n_timepoints, **settings})).eval()


def renamed(weights: Mapping[str, Tensor], names: str, unused: str = "^$") -> dict[str, Tensor]:
    """``names`` are pairs of parts of names, ``theirs>ours``; the longest counts first."""
    ours = dict(pair.split(">") for pair in names.split())
    parts = re.compile("|".join(re.escape(name) for name in sorted(ours, key=len, reverse=True)))
    used = {name: weight for name, weight in weights.items() if not re.match(unused, name)}
    return {parts.sub(lambda found: ours[found[0]], name): weight for name, weight in used.items()}


def take(ours: nn.Module, weights: Mapping[str, Tensor], own: str = "^$") -> None:
    """Give ours all of ``weights``, and in the place of biases that theirs has not, zeros."""
    before = ours.state_dict()
    biases = {name: torch.zeros_like(weight) for name, weight in before.items() if name.endswith("bias")}
    kept = {name: weight for name, weight in before.items() if re.match(own, name)}
    ours.load_state_dict({**biases, **kept, **weights})


def series(n_timepoints: int, n_channels: int = N_CHANNELS, at_rest: int = 0) -> Tensor:
    """``at_rest`` time points at either end are constant: a moving mean is the same whatever it takes beyond them."""
    values = torch.randn(N_SERIES, n_channels, n_timepoints)
    if at_rest:
        values[..., :at_rest], values[..., -at_rest:] = values[..., :1].clone(), values[..., -1:].clone()
    return values


def same(ours: Tensor, theirs: Tensor) -> None:
    torch.testing.assert_close(ours, theirs, atol=1e-4, rtol=1e-4)


@pytest.mark.parametrize("n_channels", [1, 3])  # a single channel has no bottleneck
def test_inception_time_says_what_that_of_sktime_says(n_channels: int) -> None:
    library = of_library("sktime.networks.inceptiontime._inceptiontime_torch")
    relu = {"activation": nn.ReLU(), "activation_hidden": nn.ReLU()}
    theirs = drawn(library.InceptionTimeNetworkTorch(n_channels, N_CLASSES, n_filters=8, **relu))
    theirs.activation = None  # one setting there gives the residual sums their ReLU, as in the paper, and logits too
    for module in theirs.modules():
        if isinstance(module, nn.Conv1d):
            module.padding_mode = "replicate"  # beyond the ends ours has the edge value, whatever the padding; theirs 0
    changes: dict[str, Any] = {"embedding_width": 32, "kernel_sizes": (40, 20, 10)}
    ours = build(preset("inception-time", n_channels=n_channels, n_classes=N_CLASSES, **changes), seed=0).eval()
    names = "conv_list>convolutions conv_from_maxpool>pool_projection bn.>normalisation. fc.>classifier."
    for i in range(2):
        block, shortcut = f"backbone.blocks.{i}", f"shortcut_layers.{i}"
        names += f" {shortcut}.conv>{block}.residual {shortcut}.bn>{block}.residual_normalisation"
        names += "".join(f" inception_modules.{3 * i + j}.>{block}.inception_modules.{j}." for j in range(3))
    take(ours, renamed(theirs.state_dict(), names))
    values = series(90, n_channels)
    same(ours(values), theirs(values.mT))


def test_the_fully_convolutional_network_says_what_that_of_sktime_says() -> None:
    theirs = drawn(of_library("sktime.networks.fcn._fcn_torch").FCNNetworkTorch(N_CHANNELS, N_CLASSES))
    ours, values = network(FullyConvolutionalNetwork, 40), series(40)
    take(ours, renamed(theirs.state_dict(), "conv_layers>convolutions bn_layers>normalisations fc.>head.linear."))
    same(ours(values), theirs(values.mT))


def test_mlstm_fcn_without_squeeze_and_excitation_says_what_lstm_fcn_of_sktime_says() -> None:
    library = of_library("sktime.networks.lstmfcn._lstmfcn_torch")
    theirs = drawn(library.LSTMFCNNetworkTorch(40, N_CLASSES, activation_hidden=nn.ReLU()))
    # With no more time points than channels the LSTM reads one time point after the other, as theirs always does.
    ours, values = network(MLSTMFCN, 30, n_channels=40), series(30, n_channels=40)
    ours.excitations = nn.ModuleList(nn.Identity() for _ in ours.excitations)  # theirs is the forerunner without
    take(ours, renamed(theirs.state_dict(), "conv_layers>convolutions bn_layers>normalisations fc.>linear."))
    same(ours(values), theirs(values.mT))


def test_tapnet_embeds_a_series_as_that_of_sktime_does() -> None:
    library = of_library("sktime.networks.tapnet._tapnet_torch")
    theirs = library.TapNetNetworkTorch(N_CHANNELS, N_CLASSES, activation_hidden=nn.LeakyReLU(), use_att=False)
    theirs.out = nn.Identity()  # a linear map there, in the place of learned prototypes
    drawn(theirs)
    for group in theirs.rp_conv1[1:]:  # groups share what normalises in ours, as in the authors' code
        group[1].load_state_dict(theirs.rp_conv1[0][1].state_dict())
    for offset in (theirs.bns[0].running_mean, theirs.bns[0].bias):
        nn.init.zeros_(offset)  # ours normalises before the leaky ReLU, theirs after: where that only scales, the same
    ours, values = network(TapNet, 40), series(40)
    names = "rp_conv_shared.0>others.0 rp_conv_shared.4>others.1 fcs.0>hidden fcs.1>embedding rp_conv1.>first. .0.>. "
    names += "bns.0>hidden_normalisation rp_conv1.0.1>normalisations.0 "
    names += "rp_conv_shared.1>normalisations.1 rp_conv_shared.5>normalisations.2"
    weights = renamed(theirs.state_dict(), names, unused=r"rp_idx|rp_conv1\.[12]\.1")
    weights["hidden.weight"] = weights["hidden.weight"].roll(128, dims=1)  # the LSTM is last there, first in ours
    weights["groups"] = torch.stack([theirs.get_buffer(f"rp_idx_{i}") for i in range(3)])
    take(ours, weights, own="prototypes|radii")
    distances = torch.cdist(theirs(values.mT), ours.prototypes)
    same(ours(values), ours.radii - distances.square())


def test_dlinear_maps_a_series_as_that_of_sktime_does() -> None:
    theirs = drawn(of_library("sktime.networks.ltsf.models.linear").LTSFDLinearNetwork(70, 70, N_CHANNELS)._build())
    ours, values = network(DLinear, 70), series(70, at_rest=WINDOW - 1)  # beyond the ends theirs repeats the last value
    take(ours, renamed(theirs.state_dict(), "Linear_Trend>of_trend Linear_Seasonal>of_remainder"), own="head")
    same(ours(values), ours.head(theirs(values.mT), ALL[:, :70]))


def test_dlinear_maps_a_series_as_that_of_pypots_does() -> None:
    decomposed = of_library("pypots.nn.modules.autoformer").SeriesDecompositionBlock(WINDOW)
    theirs = drawn(of_library("pypots.nn.modules.dlinear").BackboneDLinear(70, N_CHANNELS, d_model=1))
    ours, values = network(DLinear, 70), series(70, at_rest=WINDOW - 1)  # as of sktime
    take(ours, renamed(theirs.state_dict(), "linear_trend>of_trend linear_seasonal>of_remainder"), own="head")
    same(ours(values), ours.head(sum(theirs(*decomposed(values.mT))), ALL[:, :70]))


@pytest.mark.parametrize("path", ["sktime.networks.scinet", "pypots.nn.modules.scinet.layers"])
def test_the_tree_of_scinet_says_what_theirs_says(path: str) -> None:
    sizes = {"in_planes": 6, "num_levels": 3, "kernel_size": 5, "hidden_size": 2, "groups": 1, "dropout": 0.0}
    tree = of_library(path).EncoderTree(**sizes, INN=True)
    theirs = drawn(tree._build() if path.startswith("sktime") else tree)
    ours, values, weights = Tree(3, 6, 0.0).eval(), series(32, n_channels=6), {}
    nodes = [theirs.SCINet_Tree]
    for i in range(3):
        inner = [node.workingblock.interact.level for node in nodes]
        for part, names in (("scale", ("psi", "phi")), ("add", ("U", "P"))):
            for at, at_theirs in ((0, 1), (3, 4)):  # a convolution of ours is those of all nodes of its level, grouped
                layers = [getattr(one, name)[at_theirs] for one in inner for name in names]
                for kind in ("weight", "bias"):
                    together = torch.cat([getattr(layer, kind) for layer in layers])
                    weights[f"levels.{i}.{part}.convolutions.{at}.{kind}"] = together
        nodes = [child for node in nodes if i < 2 for child in (node.SCINet_Tree_even, node.SCINet_Tree_odd)]
    take(ours, weights)
    same(ours(values, ALL[:, :32]).mT, theirs(values.mT))


@pytest.mark.parametrize("block", [12, 16])
def test_a_scale_of_micn_says_what_that_of_pypots_says(block: int) -> None:
    # No more than a scale: the perceptron behind has a ReLU in ours, a norm before it and no ReLU in theirs.
    sizes = {"decomp_kernel": [block + 1], "conv_kernel": [block], "isometric_kernel": [96 // block]}
    theirs = drawn(of_library("pypots.nn.modules.micn.layers").MIC(6, **sizes))
    theirs.conv[0].padding = (0,)  # its blocks begin half a block before the series, ours with it
    ours = Scale(block, MICNConfig(**SIZES, n_timepoints=96, width=6)).eval()
    names = "isometric_conv.0>isometric conv.0>down conv_trans.0>up"
    weights = renamed(theirs.state_dict(), names, unused="merge|conv[12]|norm")
    weights |= theirs.norm.state_dict(prefix="norm.") | theirs.norm.state_dict(prefix="token_norm.")  # one there
    weights["isometric.weight"] = weights["isometric.weight"].flip(2)  # ours counts back from the token itself
    weights["isometric.bias"] = weights["isometric.bias"][:, None]
    take(ours, weights)
    features = series(96, n_channels=6, at_rest=block).mT
    remainder, _ = theirs.decomp[0](features)
    expected = theirs.conv_trans_conv(remainder, theirs.conv[0], theirs.conv_trans[0], theirs.isometric_conv[0])
    same(ours(features, ALL), expected)


# Every period of 24 time points divides them. Where one does not, ours has zeros behind the series, as in all padding,
# before both convolutions, theirs before the first: then the second may not look there.
@pytest.mark.parametrize("n_timepoints, windows_after", [(24, 3), (31, 1)])
def test_timesnet_says_of_each_what_that_of_pypots_says_of_it_alone(n_timepoints: int, windows_after: int) -> None:
    library = of_library("pypots.classification.timesnet.core")
    theirs = drawn(library._TimesNet(N_CLASSES, 2, n_timepoints, N_CHANNELS, 3, 8, 16, 3, 0.0, None, None))
    ours = network(TimesNet, n_timepoints, width=8, inner_width=16, n_windows=3)
    weights = {"embedding.of_values.weight": theirs.enc_embedding.value_embedding.tokenConv.weight}
    weights |= theirs.projection.state_dict(prefix="head.flat.linear.")
    for i, block in enumerate(theirs.model.model):
        for one in block.conv[2].kernels[windows_after:]:
            nn.init.zeros_(one.weight)
        for name, kernels in (("first", block.conv[0].kernels), ("second", block.conv[2].kernels)):
            weights |= {f"blocks.{i}.{name}.weights.{j}": kernel.weight for j, kernel in enumerate(kernels)}
            weights[f"blocks.{i}.{name}.bias"] = torch.stack([kernel.bias for kernel in kernels]).mean(dim=0)
        weights |= theirs.model.layer_norm.state_dict(prefix=f"blocks.{i}.norm.")  # one for all blocks there
    take(ours, weights)
    values = series(n_timepoints)
    values[..., [0, -1]] = 0  # beyond an end the embedding sees zeros, theirs the other end
    alone = [theirs({"X": one.mT[None]})["logits"] for one in values]  # the series of a batch share periods there
    same(ours(values), torch.cat(alone))


def test_patchtst_says_what_that_of_transformers_says() -> None:
    library = of_library("transformers.models.patchtst")  # that of PyPOTS has layer norms and ReLU, unlike the paper's
    sizes = {"num_input_channels": N_CHANNELS, "context_length": 48, "patch_length": 16, "patch_stride": 8}
    sizes |= {"d_model": 16, "num_attention_heads": 2, "num_hidden_layers": 2, "ffn_dim": 24, "num_targets": N_CLASSES}
    config = library.PatchTSTConfig(**sizes, pre_norm=False, scaling=None, pooling_type="mean")
    theirs = drawn(library.PatchTSTForClassification(config))
    ours, values = network(PatchTST, 40, n_layers=2, width=16, n_heads=2, inner_width=24), series(40)
    filled = torch.cat([values, values[..., -1:].expand(-1, -1, 8)], dim=2)  # by the last value, as in the paper
    names = "model.encoder.> embedder.input_embedding>of_patch positional_encoder.position_enc>positions "
    names += "ff.>perceptron. self_attn>attention q_proj>to_query k_proj>to_key v_proj>to_value out_proj>out "
    names += "head.linear>head norm_sublayer1.batchnorm>norms.0 norm_sublayer3.batchnorm>norms.1"
    take(ours, renamed(theirs.state_dict(), names))
    same(ours(values), theirs(past_values=filled.mT).prediction_logits)


@pytest.mark.parametrize("n_timepoints", [45, 48])
def test_patches_are_those_of_pypots(n_timepoints: int) -> None:
    theirs = drawn(of_library("pypots.nn.modules.patchtst").PatchEmbedding(16, 16, 8, padding=8, dropout=0.0))
    ours, values = network(PatchTST, n_timepoints, width=16), series(n_timepoints)
    ours.layers = nn.ModuleList()
    weights = renamed(theirs.state_dict(), "value_embedding>of_patch", unused="positional")
    weights["positions"] = theirs.positional_embedding.pos_table[0, : ours.n_patches]  # ours learns them
    take(ours, weights, own="head")
    tokens = theirs(values).unflatten(0, values.shape[:2])
    same(ours(values), ours.head(tokens.mean(dim=2).flatten(1)))


@pytest.mark.parametrize("n_timepoints", [46, 48])
def test_moderntcn_says_what_that_of_pypots_says(n_timepoints: int) -> None:
    sizes = {"num_blocks": [1, 1], "large_size": [13, 13], "small_size": [5, 5], "dims": [6, 12]}
    theirs = drawn(
        of_library("pypots.nn.modules.moderntcn").BackboneModernTCN(n_timepoints, N_CHANNELS, 1, 8, 4, 2, 1, **sizes)
    )
    ours, values = network(ModernTCN, n_timepoints, width=6), series(n_timepoints)
    names = "downsample_layers.0>stem downsample_layers.1.0>merge_norms.0 downsample_layers.1.1>merges.0 "
    names += "stages.>blocks. blocks.0.> dw.lkb_origin.conv>convolutions.0 dw.lkb_origin.bn>convolution_norms.0 "
    names += "dw.small_conv.conv>convolutions.1 dw.small_conv.bn>convolution_norms.1"
    for i, name in enumerate(("among_features", "among_channels")):
        for j, layer in enumerate((f"ffn{i + 1}pw1", f"ffn{i + 1}pw2")):
            names += f" {layer}.weight>{name}.weights.{j} {layer}.bias>{name}.biases.{j}"
    weights = renamed(theirs.state_dict(), names, unused="te_patch|lat_layer|smooth_layer|up_sample_conv|head")
    weights["stem.weight"] = weights["stem.weight"][:, None]
    for name, weight in ours.state_dict().items():
        if ".among_" in name:  # grouped convolutions there
            apart = weights[name].unflatten(0, (len(weight), -1))
            weights[name] = apart[..., 0].mT if "weights" in name else apart
    take(ours, weights, own="stem_norm|head")  # theirs lacks the norm; as ours begins, it changes nothing
    same(ours(values), ours.head(gelu(theirs(values)).flatten(1)))


def test_crossformer_says_what_the_encoder_of_pypots_says() -> None:
    library, patching = of_library("pypots.nn.modules.crossformer"), of_library("pypots.nn.modules.patchtst")
    blocks = [library.ScaleBlock(min(i + 1, 2), 16, 2, 24, 1, 0.0, number, 3) for i, number in enumerate((5, 3, 2))]
    theirs = drawn(library.CrossformerEncoder(blocks))  # its attention, unlike the authors', has no biases
    embedding = drawn(patching.PatchEmbedding(16, 12, 12, padding=0, dropout=0.0, positional_embedding=False))
    ours, values = network(Crossformer, 60, width=16, n_heads=2, inner_width=24, n_routers=3), series(60)
    names = "encode_blocks.>layers. .encode_layers.0> linear_trans>linear router>routers value_embedding>of_segment "
    names += "encode_blocks.1.merge_layer>merges.0 encode_blocks.2.merge_layer>merges.1 MLP1>after_time.perceptron "
    names += "time_attention>over_time dim_sender>gather dim_receiver>give_back MLP2>after_channels.perceptron "
    names += "w_qs>to_query w_ks>to_key w_vs>to_value .fc.>.out. norm1>after_time.norms.0 norm2>after_time.norms.1 "
    names += "norm3>after_channels.norms.0 norm4>after_channels.norms.1"
    take(ours, renamed(theirs.state_dict() | embedding.state_dict(), names), own="positions|norm|head")
    tokens = ours.norm(embedding(values).unflatten(0, values.shape[:2]) + ours.positions)
    same(ours(values), ours.head(theirs(tokens)[0].flatten(1)))


def test_a_layer_of_fedformer_says_what_that_of_pypots_says() -> None:
    # With the lowest frequencies, for theirs puts all that it drew there, and ours each in its own place.
    sizes = {"n_steps": 80, "n_layers": 1, "d_model": 16, "n_heads": 8, "d_ffn": 24, "modes": 7}
    settings = {"moving_avg_window_size": WINDOW, "dropout": 0.0, "mode_select": "low", "activation": "gelu"}
    theirs = drawn(of_library("pypots.nn.modules.fedformer").FEDformerEncoder(**sizes, **settings))
    layer = theirs.encoder.attn_layers[0]
    fourier = layer.attention.attention_operator
    # What theirs gives out of its heads is then read as if features were time points, as in the authors' code.
    fourier.register_forward_hook(lambda module, given, said: (said[0].mT, None))
    ours = EncoderLayer(FEDformerConfig(**SIZES, n_timepoints=80, width=16, inner_width=24, n_frequencies=7)).eval()
    names = "attention.w_qs>block.before attention.fc>block.after conv1>perceptron.0 conv2>perceptron.3"
    weights = renamed(layer.state_dict(), names, unused="attention.(w_ks|w_vs|attention_operator)")
    weights |= {name: weight[..., 0] for name, weight in weights.items() if name.startswith("perceptron")}
    weights["block.weight"] = torch.view_as_real(fourier.weights1.permute(3, 0, 1, 2))
    weights["block.frequencies"] = torch.tensor(fourier.index)
    take(ours, weights)
    features = series(80, n_channels=16).mT
    inside = slice(WINDOW - 1, 1 - WINDOW)  # where two moving means do not see beyond the ends
    same(ours(features, ALL[:, :80])[:, inside], layer(features)[0][:, inside])
