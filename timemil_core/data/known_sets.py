"""What is known of public sets beyond their files: sizes, domain, sampling rate, channel names.

Sizes are the archive's where a copy was counted (``COUNTED``), else those of the TimeMIL paper's table. A sampling
rate or a channel name stands here only where the archive's own description states it.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class KnownSet:
    """Facts of one public set; ``length`` in time points, as text since lengths may differ within a set."""

    n_train: int
    n_test: int
    n_channels: int
    length: str
    n_classes: int
    domain: str
    summary: str
    sampling_rate: float | None = None
    channel_names: tuple[str, ...] = ()


MOTION_AXES = tuple(f"{sensor} {axis}" for sensor in ("accelerometer", "gyroscope") for axis in "xyz")
ELECTRODES = tuple(
    element
    for row in (
        "F3 F1 Fz F2 F4",
        "FC5 FC3 FC1 FCz FC2 FC4 FC6",
        "C5 C3 C1 Cz C2 C4 C6",
        "CP5 CP3 CP1 CPz CP2 CP4 CP6",
        "O1 O2",
    )
    for element in row.split()
)
NATOPS_JOINTS = tuple(
    f"{joint} {side} {axis}"
    for joint in ("hand tip", "elbow", "wrist", "thumb")
    for side in ("left", "right")
    for axis in "xyz"
)

UEA: dict[str, KnownSet] = {
    "ArticularyWordRecognition": KnownSet(
        275, 300, 9, "144", 25, "speech", "Movements of tongue and lips while one of 25 words is spoken."
    ),
    "AtrialFibrillation": KnownSet(
        15,
        15,
        2,
        "640",
        3,
        "electrocardiogram",
        "Five seconds of atrial fibrillation in two leads: n does not end, s ends a minute later, t at once.",
        128.0,
        ("ECG 1", "ECG 2"),
    ),
    "BasicMotions": KnownSet(
        40,
        40,
        6,
        "100",
        4,
        "human activity",
        "Ten seconds of a smart watch's accelerometer and gyroscope: standing, walking, running, badminton.",
        10.0,
        MOTION_AXES,
    ),
    "CharacterTrajectories": KnownSet(
        1422, 1436, 3, "up to 182", 20, "handwriting", "Pen velocity and force while one of 20 letters is written."
    ),
    "Cricket": KnownSet(
        108, 72, 6, "1197", 12, "human activity", "An umpire's signals, from accelerometers at both wrists."
    ),
    "DuckDuckGeese": KnownSet(60, 40, 1345, "270", 5, "sound", "Spectrograms of the calls of five kinds of birds."),
    "EigenWorms": KnownSet(
        128, 131, 6, "17984", 5, "movement", "How a worm moves, in six base shapes: wild type or one of four mutants."
    ),
    "Epilepsy": KnownSet(
        137,
        138,
        3,
        "206",
        4,
        "human activity",
        "A wrist's acceleration while walking, running, sawing, or mimicking a seizure.",
    ),
    "ERing": KnownSet(
        30, 270, 4, "65", 6, "gestures", "Finger postures, felt by the electric field of a ring with four electrodes."
    ),
    "EthanolConcentration": KnownSet(
        261, 263, 3, "1751", 4, "spectra", "Spectra of spirits in their bottles, at four concentrations of alcohol."
    ),
    "FaceDetection": KnownSet(
        5890, 3524, 144, "62", 2, "magnetoencephalogram", "Brain response to a picture: a face, or a scrambled one."
    ),
    "FingerMovements": KnownSet(
        316,
        100,
        28,
        "50",
        2,
        "electroencephalogram",
        "Half a second before a key is pressed with the left or the right hand.",
        100.0,
        ELECTRODES,
    ),
    "HandMovementDirection": KnownSet(
        160,
        74,
        10,
        "400",
        4,
        "magnetoencephalogram",
        "One second around a joystick's movement in one of four directions.",
        400.0,
    ),
    "Handwriting": KnownSet(
        150,
        850,
        3,
        "152",
        26,
        "handwriting",
        "A smart watch's acceleration while one of the 26 letters is written.",
        None,
        ("acceleration x", "acceleration y", "acceleration z"),
    ),
    "Heartbeat": KnownSet(204, 205, 61, "405", 2, "sound", "Spectrograms of heart sounds: normal or abnormal."),
    "InsectWingbeat": KnownSet(
        30000, 20000, 200, "up to 78", 10, "sound", "Spectrograms of the wing beats of mosquitoes and flies."
    ),
    "JapaneseVowels": KnownSet(
        270,
        370,
        12,
        "7 to 29",
        9,
        "speech",
        "Two vowels spoken by one of nine men, as twelve linear prediction coefficients over time.",
        None,
        tuple(f"coefficient {index}" for index in range(1, 13)),
    ),
    "Libras": KnownSet(180, 180, 2, "45", 15, "gestures", "Hand movements of the Brazilian sign language."),
    "LSST": KnownSet(
        2459, 2466, 6, "36", 14, "astronomy", "Simulated brightness of stars and galaxies through six filters."
    ),
    "MotorImagery": KnownSet(
        278, 100, 64, "3000", 2, "electrocorticogram", "Imagined movement of the tongue or of a finger."
    ),
    "NATOPS": KnownSet(
        180,
        180,
        24,
        "51",
        6,
        "gestures",
        "Signals of aircraft handlers, as positions of hands, elbows, wrists and thumbs.",
        None,
        NATOPS_JOINTS,
    ),
    "PEMS-SF": KnownSet(
        267, 173, 963, "144", 7, "traffic", "How busy 963 lanes are over one day; the class is the weekday."
    ),
    "PenDigits": KnownSet(
        7494,
        3498,
        2,
        "8",
        10,
        "handwriting",
        "A pen's trace of a digit, at eight points.",
        None,
        ("x", "y"),
    ),
    "PhonemeSpectra": KnownSet(
        3315, 3353, 11, "217", 39, "speech", "Spectrograms of single phonemes of male and female speakers."
    ),
    "RacketSports": KnownSet(
        151, 152, 6, "30", 4, "human activity", "Three seconds of a smart watch in badminton or squash.", 10.0
    ),
    "SelfRegulationSCP1": KnownSet(
        268, 293, 6, "896", 2, "electroencephalogram", "A cursor moved up or down by slow cortical potentials."
    ),
    "SelfRegulationSCP2": KnownSet(
        200, 180, 7, "1152", 2, "electroencephalogram", "The same by a person with a motor neurone disease."
    ),
    "SpokenArabicDigits": KnownSet(
        6599, 2199, 13, "up to 93", 10, "speech", "A digit spoken in Arabic, as thirteen cepstral coefficients."
    ),
    "StandWalkJump": KnownSet(
        12, 15, 4, "2500", 3, "electrocardiogram", "A man's heart while he stands, walks or jumps.", 500.0
    ),
    "UWaveGestureLibrary": KnownSet(
        120,
        320,
        3,
        "315",
        8,
        "gestures",
        "Eight simple gestures, by acceleration.",
        None,
        ("acceleration x", "acceleration y", "acceleration z"),
    ),
}

UNIVARIATE: dict[str, KnownSet] = {
    "CBF": KnownSet(30, 900, 1, "128", 3, "simulated", "Cylinder, bell or funnel in noise."),
    "Chinatown": KnownSet(20, 343, 1, "24", 2, "traffic", "Pedestrians by the hour: weekend or weekday."),
    "Coffee": KnownSet(28, 28, 1, "286", 2, "spectra", "Spectra of coffee beans: Robusta or Arabica."),
    "ECG200": KnownSet(100, 100, 1, "96", 2, "electrocardiogram", "One heartbeat: normal, or an infarction."),
    "GunPoint": KnownSet(
        50,
        150,
        1,
        "150",
        2,
        "human activity",
        "A hand draws a gun (1) or points (2).",
        None,
        ("hand x",),
    ),
    "ItalyPowerDemand": KnownSet(
        67, 1029, 1, "24", 2, "energy", "A day's power demand by the hour: winter or summer half.", None, ("demand",)
    ),
    "SyntheticControl": KnownSet(300, 300, 1, "60", 6, "simulated", "Control charts: normal, cyclic, trends, shifts."),
    "TwoLeadECG": KnownSet(23, 1139, 1, "82", 2, "electrocardiogram", "A heartbeat in one lead or another."),
    "WebTraffic": KnownSet(
        500,
        500,
        1,
        "1008",
        10,
        "simulated",
        "Page views over weeks with one of nine anomalies, or none; where the anomaly lies is known.",
    ),
}

KNOWN: dict[str, KnownSet] = UEA | UNIVARIATE
COUNTED = frozenset(
    {
        "ArticularyWordRecognition",
        "AtrialFibrillation",
        "BasicMotions",
        "ERing",
        "FingerMovements",
        "HandMovementDirection",
        "Handwriting",
        "JapaneseVowels",
        "LSST",
        "NATOPS",
        "PenDigits",
        "RacketSports",
        "StandWalkJump",
        "UWaveGestureLibrary",
        *UNIVARIATE,
    }
)
