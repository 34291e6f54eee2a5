"""The wavelets of a model: what was learned, its bands, what it adds, what removing it does, how it moved."""

from timemil_core.explain.wavelets.bands import (
    Bands,
    bands_of,
    frequency_response,
    hat_band,
    pass_band,
    peak_frequency,
)
from timemil_core.explain.wavelets.effects import RemovalEffects, removal_effects, series_to_measure
from timemil_core.explain.wavelets.learned import (
    EncodedLayer,
    LayerWavelets,
    LearnedWavelets,
    encoding_of_series,
    learned_wavelets,
)
from timemil_core.explain.wavelets.movement import Movement, movement_of
from timemil_core.explain.wavelets.removal import Removal, every_kernel, every_part, without
from timemil_core.explain.wavelets.table import kernel_table, to_csv
from timemil_core.explain.wavelets.verdicts import kernels_sentence, part_sentence

__all__ = [
    "Bands",
    "EncodedLayer",
    "LayerWavelets",
    "LearnedWavelets",
    "Movement",
    "Removal",
    "RemovalEffects",
    "bands_of",
    "encoding_of_series",
    "every_kernel",
    "every_part",
    "frequency_response",
    "hat_band",
    "kernel_table",
    "kernels_sentence",
    "learned_wavelets",
    "movement_of",
    "part_sentence",
    "pass_band",
    "peak_frequency",
    "removal_effects",
    "series_to_measure",
    "to_csv",
    "without",
]
