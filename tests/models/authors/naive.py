"""The forward arithmetic of the authors' public code in eval mode, stated anew in NumPy and float64.

Slow and plain, and sharing nothing with the library: a series is ``(n_timepoints, n_channels)`` as there, weights go
by their names.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
from torch import Tensor

Array = npt.NDArray[np.float64]
SHORTEST, HEADS, TAPS = 21, 8, 19


class Weights:
    """The state dict as float64 arrays."""

    def __init__(self, tensors: Mapping[str, Tensor]) -> None:
        self.arrays = {name: tensor.double().numpy() for name, tensor in tensors.items()}

    def __getitem__(self, name: str) -> Array:
        return self.arrays[name]

    def __contains__(self, name: str) -> bool:
        return name in self.arrays

    def affine(self, name: str, x: Array) -> Array:
        """A linear map of the last axis."""
        return x @ self[f"{name}.weight"].T + self[f"{name}.bias"]


def logits(tensors: Mapping[str, Tensor], batch: Array) -> Array:
    """Classify a batch ``(n_series, n_timepoints, n_channels)``: ``(n_series, n_classes)``."""
    w = Weights(tensors)
    features = np.stack([extract(w, one.T).T for one in batch])
    token = np.broadcast_to(w["cls_token"], (len(batch), 1, features.shape[2]))
    tokens = np.concatenate([token, features], axis=1)
    tokens = transformer(w, "layer1", encode(w, "pos_layer", ("wave1", "wave2", "wave3"), tokens))
    tokens = transformer(w, "layer2", encode(w, "pos_layer2", ("wave1_", "wave2_", "wave3_"), tokens))
    return w.affine("_fc2.3", np.maximum(w.affine("_fc2.0", tokens[:, 0]), 0))


def extract(w: Weights, x: Array) -> Array:
    """The feature extractor: ``(n_channels, n_timepoints)`` to ``(width, at least 21)``."""
    missing = max(0, SHORTEST - x.shape[1])
    x = np.pad(x, ((0, 0), (missing // 2, missing - missing // 2)))
    for block in range(2):
        name = f"feature_extractor.instance_encoder.{block}"
        residual = batch_norm(w, f"{name}.residual.1", convolve(w, f"{name}.residual.0", x))
        for module in range(3):
            x = inception(w, f"{name}.inception_modules.{module}", x)
        x = np.maximum(x + residual, 0)
    return x


def inception(w: Weights, name: str, x: Array) -> Array:
    squeezed = convolve(w, f"{name}.bottleneck", x) if f"{name}.bottleneck.weight" in w else x
    branches = [convolve(w, f"{name}.conv_layers.{index}", squeezed) for index in range(3)]
    around = np.pad(x, ((0, 0), (1, 1)), constant_values=-np.inf)
    highest = np.maximum(np.maximum(around[:, :-2], around[:, 1:-1]), around[:, 2:])
    branches.append(convolve(w, f"{name}.max_pooling_w_bottleneck.1", highest))
    return np.maximum(batch_norm(w, f"{name}.activation.0", np.concatenate(branches)), 0)


def convolve(w: Weights, name: str, x: Array) -> Array:
    """A correlation that keeps the length; beyond the ends stands the end's own value, an odd one out at right."""
    weight = w[f"{name}.weight"]
    size = weight.shape[2]
    around = np.pad(x, ((0, 0), ((size - 1) // 2, size - 1 - (size - 1) // 2)), mode="edge")
    seen = np.lib.stride_tricks.sliding_window_view(around, size, axis=1)  # (n_in, n_timepoints, size)
    return np.einsum("itk,oik->ot", seen, weight) + w[f"{name}.bias"][:, None]


def batch_norm(w: Weights, name: str, x: Array) -> Array:
    factor = w[f"{name}.weight"] / np.sqrt(w[f"{name}.running_var"] + 1e-5)
    return (x - w[f"{name}.running_mean"][:, None]) * factor[:, None] + w[f"{name}.bias"][:, None]


def encode(w: Weights, layer: str, waves: tuple[str, ...], tokens: Array) -> Array:
    """Add to each feature its three wavelet responses, mixed by the first projection; not to the class token."""
    features = tokens[:, 1:]
    around = np.pad(features, ((0, 0), (TAPS // 2, TAPS // 2), (0, 0)))
    response = np.zeros_like(features)
    for wave in waves:
        kernel = mexican_hat(*w[wave][..., 0])  # (width, taps)
        for tap in range(TAPS):
            response += around[:, tap : tap + features.shape[1]] * kernel[:, tap]
    return np.concatenate([tokens[:, :1], features + w.affine(f"{layer}.proj_1", response)], axis=1)


def mexican_hat(scale: Array, shift: Array) -> Array:
    x = (np.arange(TAPS) - TAPS // 2 - shift[:, None]) / scale[:, None]
    hat = 2 / (np.sqrt(3) * np.pi**0.25) * (1 - x**2) * np.exp(-(x**2) / 2)
    return hat / np.sqrt(np.abs(scale))[:, None]


def transformer(w: Weights, layer: str, tokens: Array) -> Array:
    mean, variance = tokens.mean(-1, keepdims=True), tokens.var(-1, keepdims=True)
    normal = (tokens - mean) / np.sqrt(variance + 1e-5) * w[f"{layer}.norm.weight"] + w[f"{layer}.norm.bias"]
    return tokens + attend(w, f"{layer}.attn", normal)


def attend(w: Weights, name: str, x: Array) -> Array:
    """Nyström attention of ``(n_series, n, width)``, padded in front to whole segments, unmasked."""
    n_series, n, width = x.shape
    n_landmarks, size = width // 2, width // 8
    x = np.pad(x, ((0, 0), (-n % n_landmarks, 0), (0, 0)))
    joint = (x @ w[f"{name}.to_qkv.weight"].T).reshape(n_series, -1, 3, HEADS, size)
    q, k, v = joint.transpose(2, 0, 3, 1, 4)  # each (n_series, heads, n, size)
    q = q / np.sqrt(size)
    few_q, few_k = (one.reshape(n_series, HEADS, n_landmarks, -1, size).mean(axis=3) for one in (q, k))
    left, middle, right = (softmax(a @ b.swapaxes(-1, -2)) for a, b in ((q, few_k), (few_q, few_k), (few_q, k)))
    mixed = left @ inverse(middle) @ right @ v + neighbours(w[f"{name}.res_conv.weight"], v)
    joined = mixed.transpose(0, 2, 1, 3).reshape(n_series, x.shape[1], -1)
    return w.affine(f"{name}.to_out.0", joined)[:, -n:]


def softmax(scores: Array) -> Array:
    grown = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return grown / grown.sum(axis=-1, keepdims=True)


def inverse(matrix: Array) -> Array:
    """Six steps from a scale that the largest sums of the whole batch give."""
    result = matrix.swapaxes(-1, -2) / (matrix.sum(-1).max() * matrix.sum(-2).max())
    one = np.eye(matrix.shape[-1])
    for _ in range(6):
        product = matrix @ result
        result = result @ (13 * one - product @ (15 * one - product @ (7 * one - product))) / 4
    return result


def neighbours(weight: Array, v: Array) -> Array:
    """Each head's own 33 taps over time, zeros beyond the ends."""
    half, n = weight.shape[2] // 2, v.shape[2]
    around = np.pad(v, ((0, 0), (0, 0), (half, half), (0, 0)))
    return sum(around[:, :, tap : tap + n] * weight[:, 0, tap, 0][:, None, None] for tap in range(2 * half + 1))
