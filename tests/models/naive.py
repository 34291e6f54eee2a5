"""Attention as its definitions have it, in plain NumPy and float64: slow, sharing nothing with the network's code."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from timemil_core.models.attention import SelfAttention

Array = npt.NDArray[np.float64]


def softmax(scores: Array) -> Array:
    """Over the last axis."""
    shifted = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return shifted / shifted.sum(axis=-1, keepdims=True)


def projections(layer: SelfAttention, tokens: Array) -> tuple[Array, Array, Array]:
    """Query, key and value of one series' tokens ``(n, L)``, each ``(n_heads, n, head_size)``."""
    weight = layer.to_query_key_value.weight.detach().double().numpy()
    heads, size = layer.config.n_heads, layer.config.head_size
    joint = (tokens @ weight.T).reshape(len(tokens), 3, heads, size)
    query, key, value = joint.transpose(1, 2, 0, 3)
    return query, key, value


def exact_map(layer: SelfAttention, tokens: Array) -> Array:
    """Equation 9's softmax: ``(n_heads, n, n)``."""
    query, key, _ = projections(layer, tokens)
    return softmax(query @ key.transpose(0, 2, 1) / np.sqrt(layer.config.head_size))


def landmarks(vectors: Array, n_landmarks: int) -> Array:
    """Means of segments: token t of n belongs to segment floor(t m / n)."""
    n = vectors.shape[1]
    segment = np.arange(n) * n_landmarks // n
    return np.stack([vectors[:, segment == index].mean(axis=1) for index in range(n_landmarks)], axis=1)


def iterated_inverse(matrix: Array, n_iterations: int) -> Array:
    """Xiong et al. 2021, equation 11, for one matrix."""
    inverse = matrix.T / (np.abs(matrix).sum(axis=0).max() * np.abs(matrix).sum(axis=1).max())
    one = np.eye(len(matrix))
    for _ in range(n_iterations):
        product = matrix @ inverse
        inverse = 0.25 * inverse @ (13 * one - product @ (15 * one - product @ (7 * one - product)))
    return inverse


def nystrom_map(query: Array, key: Array, n_landmarks: int, n_iterations: int) -> Array:
    """Xiong et al. 2021, equation 13, of scaled queries and keys ``(n_heads, n, d)``: ``(n_heads, n, n)``."""
    n_landmarks = min(n_landmarks, query.shape[1])
    few_queries, few_keys = landmarks(query, n_landmarks), landmarks(key, n_landmarks)
    left = softmax(query @ few_keys.transpose(0, 2, 1))
    middle = softmax(few_queries @ few_keys.transpose(0, 2, 1))
    right = softmax(few_queries @ key.transpose(0, 2, 1))
    return np.stack([a @ iterated_inverse(b, n_iterations) @ c for a, b, c in zip(left, middle, right, strict=True)])


def layer_map(layer: SelfAttention, tokens: Array) -> Array:
    """The map that the layer's configuration asks for."""
    if not layer.uses_nystrom(len(tokens)):
        return exact_map(layer, tokens)
    query, key, _ = projections(layer, tokens)
    config = layer.config
    return nystrom_map(query / np.sqrt(config.head_size), key, config.n_landmarks, config.pseudo_inverse_iterations)


def value_convolution(layer: SelfAttention, value: Array) -> Array:
    """The depth-wise convolution of values, as its setting has it: ``(n_heads, n, head_size)``."""
    result = np.zeros_like(value)
    if layer.value_convolution is None:
        return result
    taps = layer.value_convolution.weight.detach().double().numpy()[:, 0, :, 0]
    first = 0 if layer.config.value_convolution == "all" else 1
    n, half = value.shape[1], taps.shape[1] // 2
    for t in range(first, n):
        for other in range(max(first, t - half), min(n, t + half + 1)):
            result[:, t] += taps[:, other - t + half, None] * value[:, other]
    return result


def attention_layer(layer: SelfAttention, tokens: Array) -> Array:
    """The whole layer in eval mode, ``(n, L)``."""
    _, _, value = projections(layer, tokens)
    mixed = layer_map(layer, tokens) @ value + value_convolution(layer, value)
    weight, bias = (tensor.detach().double().numpy() for tensor in (layer.output.weight, layer.output.bias))
    return mixed.transpose(1, 0, 2).reshape(len(tokens), -1) @ weight.T + bias
