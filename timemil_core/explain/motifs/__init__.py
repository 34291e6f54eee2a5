"""The motif atlas: the spans that the model finds important, put together by their shape."""

from timemil_core.explain.motifs.atlas import motif_atlas
from timemil_core.explain.motifs.clustering import MOST_CLUSTERS
from timemil_core.explain.motifs.cost import AtlasCost, atlas_cost
from timemil_core.explain.motifs.motif import Atlas, Motif, Occurrence, Presence, Removal
from timemil_core.explain.motifs.tables import occurrence_table, summary_table

__all__ = [
    "MOST_CLUSTERS",
    "Atlas",
    "AtlasCost",
    "Motif",
    "Occurrence",
    "Presence",
    "Removal",
    "atlas_cost",
    "motif_atlas",
    "occurrence_table",
    "summary_table",
]
