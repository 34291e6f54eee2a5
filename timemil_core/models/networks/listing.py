"""``OTHERS``: every network of another paper by its name, with what people call it and where it comes from."""

from __future__ import annotations

from timemil_core.models.networks.base import OtherNetwork
from timemil_core.models.networks.crossformer import Crossformer
from timemil_core.models.networks.dlinear import DLinear
from timemil_core.models.networks.fcn import FullyConvolutionalNetwork
from timemil_core.models.networks.fedformer import FEDformer
from timemil_core.models.networks.flowformer import Flowformer
from timemil_core.models.networks.lightts import LightTS
from timemil_core.models.networks.lstnet import LSTNet
from timemil_core.models.networks.mamba import Mamba
from timemil_core.models.networks.micn import MICN
from timemil_core.models.networks.mlstm_fcn import MLSTMFCN
from timemil_core.models.networks.moderntcn import ModernTCN
from timemil_core.models.networks.mts_mixer import MTSMixer
from timemil_core.models.networks.omni_scale import MOSCNN, OSCNN
from timemil_core.models.networks.patchtst import PatchTST
from timemil_core.models.networks.rlinear import RMLP, RLinear
from timemil_core.models.networks.s4d import S4D
from timemil_core.models.networks.scinet import SCINet
from timemil_core.models.networks.tapnet import TapNet
from timemil_core.models.networks.timesnet import TimesNet
from timemil_core.models.networks.todynet import TodyNet

OTHERS: dict[str, tuple[str, str, type[OtherNetwork]]] = {
    "fcn": ("Fully convolutional network", "Wang, Yan and Oates 2017", FullyConvolutionalNetwork),
    "dlinear": ("DLinear", "Zeng et al. 2023", DLinear),
    "mlstm-fcn": ("MLSTM-FCN", "Karim et al. 2019", MLSTMFCN),
    "tapnet": ("TapNet", "Zhang et al. 2020", TapNet),
    "os-cnn": ("OS-CNN", "Tang et al. 2022", OSCNN),
    "mos-cnn": ("MOS-CNN", "Tang et al. 2022", MOSCNN),
    "todynet": ("TodyNet", "Liu et al. 2023", TodyNet),
    "lstnet": ("LSTNet", "Lai et al. 2018", LSTNet),
    "s4d": ("S4D (LSSL family)", "Gu et al. 2022", S4D),
    "mamba": ("Mamba", "Gu and Dao 2023", Mamba),
    "rlinear": ("RLinear", "Li et al. 2023", RLinear),
    "rmlp": ("RMLP", "Li et al. 2023", RMLP),
    "lightts": ("LightTS", "Zhang et al. 2022", LightTS),
    "mts-mixer": ("MTS-Mixer", "Li et al. 2023", MTSMixer),
    "scinet": ("SCINet", "Liu et al. 2022", SCINet),
    "micn": ("MICN", "Wang et al. 2023", MICN),
    "timesnet": ("TimesNet", "Wu et al. 2023", TimesNet),
    "patchtst": ("PatchTST", "Nie et al. 2023", PatchTST),
    "crossformer": ("Crossformer, encoder", "Zhang and Yan 2023", Crossformer),
    "fedformer": ("FEDformer, Fourier", "Zhou et al. 2022", FEDformer),
    "flowformer": ("Flowformer", "Wu et al. 2022", Flowformer),
    "moderntcn": ("ModernTCN", "Luo and Wang 2024", ModernTCN),
}
