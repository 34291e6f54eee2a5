"""The network: its members' logits, averaged.

One-vs-rest logits can be averaged where each member's are worth what they say: those of trained networks by their loss,
those of a MiniRocket by its stretch (``models/ridge.py``). A logit that is a sum of what time points add stays one.

B series, C channels, T time points, M networks, K classes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import torch
from torch import Tensor, nn

from timemil_core.models.abilities import Abilities, Ability
from timemil_core.models.ensemble.config import EnsembleConfig
from timemil_core.models.minirocket.network import MiniRocketNetwork
from timemil_core.models.network import Network
from timemil_core.models.timemil import TimeMIL


class EnsembleNetwork(Network):
    """Several networks as one (Ismail Fawaz et al. 2020, section 3.3, average five)."""

    config: EnsembleConfig

    def __init__(self, config: EnsembleConfig) -> None:
        super().__init__()
        self.config = config
        self.networks = nn.ModuleList(TimeMIL(config.member) for _ in range(config.n_networks))
        fitted = config.minirocket_config
        self.minirocket = None if fitted is None else MiniRocketNetwork(fitted)

    @property
    def averaged(self) -> tuple[Network, ...]:
        """All that are averaged, with ``config.weights``."""
        return self.trained_apart if self.minirocket is None else (*self.trained_apart, self.minirocket)

    @property
    def trained_apart(self) -> tuple[TimeMIL, ...]:
        """Each network has its own loss, and its gradients are clipped as if it were alone."""
        return tuple(one for one in self.networks if isinstance(one, TimeMIL))

    @property
    def abilities(self) -> Abilities:
        """What it can be asked for as a whole; a method that all members serve is asked of each."""
        own = {Ability.LOGITS, Ability.UNTRAINED}
        if self.minirocket is None:
            own.add(Ability.GRADIENTS)
        if all(one.pooling.gives_logits for one in self.trained_apart):
            own.add(Ability.MEMBERS_ADD_UP)
        return frozenset(own)

    @property
    def warms_up(self) -> bool:
        """Whether the warm-up does anything."""
        return any(one.warms_up for one in self.trained_apart)

    @property
    def marks(self) -> bool:
        """Whether each that is trained says which time points it goes by."""
        return all(one.marks for one in self.trained_apart)

    @property
    def n_stages(self) -> int:
        """After how many stages a pass tells whoever watches it."""
        return sum(one.n_stages for one in self.averaged)

    def untrained(self, seed: int) -> EnsembleNetwork:
        """Return one of which no member has learned anything."""
        # 1000 apart: as no other copy that anybody asks for
        networks = [one.untrained(seed + 1000 * place) for place, one in enumerate(self.trained_apart)]
        return self._of(networks, None if self.minirocket is None else self.minirocket.untrained(seed))

    def forward(
        self,
        values: Tensor,
        mask: Tensor | None = None,
        warm_up: float | None = None,
        shares: Tensor | None = None,
    ) -> Tensor:
        """Classify ``(B, C, T)``: ``(B, K)``; in training each network by itself, ``(B, M, K)``.

        With ``shares`` (TimeMIL's ``forward``) ``(B, 2 M, K)``: of the series by each, then of what each marks in it.
        """
        if shares is not None:
            both = torch.stack([one(values, mask, warm_up, shares) for one in self.networks], dim=2)  # (B, 2, M, K)
            return both.flatten(1, 2)
        said = torch.stack([one(values, mask, warm_up) for one in self.networks], dim=1)  # (B, M, K)
        if self.training:
            return said
        logits = said.mean(dim=1)  # (B, K)
        if self.minirocket is None:
            return logits
        return torch.lerp(logits, self.minirocket(values, mask), self.config.minirocket_share)  # (B, K)

    def beside(self, minirocket: MiniRocketNetwork) -> EnsembleNetwork:
        """Return these networks with a MiniRocket beside them."""
        return self._of(self.trained_apart, minirocket).eval()

    def _of(self, networks: Sequence[TimeMIL], minirocket: MiniRocketNetwork | None) -> EnsembleNetwork:
        settings = None if minirocket is None else minirocket.config.to_json()
        with torch.device("meta"):  # what is built here is replaced
            other = EnsembleNetwork(replace(self.config, minirocket=settings))
        other.networks, other.minirocket = nn.ModuleList(networks), minirocket
        return other
