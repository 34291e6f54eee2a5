"""Sets that are described publicly, rebuilt in small: the layout to the letter, and a few rows of made values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from timemil_core.data.files.choices import Value

Files = dict[str, str]


@dataclass(frozen=True)
class Layout:
    """A layout, the choices that its user makes, and what must come of it.

    Attributes
    ----------
    build
        Returns the files by their names.
    n_series, n_channels, classes
        What is read: ``length`` is that of the first series.
    choices
        What the user chooses; most layouts need none.
    test
        How many series are for testing, where the files tell it.
    """

    build: Callable[[np.random.Generator], Files]
    n_series: int
    n_channels: int
    length: int
    classes: tuple[str, ...]
    choices: dict[str, Value] = field(default_factory=dict)
    test: int = 0
    rate: float | None = None


def numbers(values: np.ndarray, separator: str = ",", form: str = "%.4f") -> str:
    return separator.join(form % value for value in values)


def uci_har(rng: np.random.Generator) -> Files:
    """UCI HAR: a file a channel, a row a window of 128; classes and subjects in files of their own, by rows."""
    files: Files = {"UCI HAR Dataset/README.txt": "Human Activity Recognition, a data set of windows, by its makers.\n"}
    for part, n, first in (("train", 12, 1), ("test", 6, 5)):
        folder = f"UCI HAR Dataset/{part}"
        for signal in ("body_acc", "body_gyro", "total_acc"):
            for axis in "xyz":
                rows = (f" {numbers(rng.normal(size=128), ' ', '%.7e')}" for _ in range(n))
                files[f"{folder}/Inertial Signals/{signal}_{axis}_{part}.txt"] = "\n".join(rows) + "\n"
        files[f"{folder}/y_{part}.txt"] = "".join(f"{row % 3 + 1}\n" for row in range(n))
        files[f"{folder}/subject_{part}.txt"] = "".join(f"{row // 3 + first}\n" for row in range(n))
    return files


def wisdm(rng: np.random.Generator) -> Files:
    """WISDM v1.1: user, activity, nanoseconds and three axes, without a header; each line ends in a semicolon."""
    rows = [
        f"{user},{activity},{49105962326000 + (block * 60 + place) * 50_000_000},{numbers(rng.normal(size=3))};\n"
        for user in (33, 17, 29)
        for block, activity in enumerate(("Jogging", "Walking", "Sitting"))
        for place in range(60)
    ]
    return {"WISDM_ar_v1.1_raw.txt": "".join(rows)}


def pamap2(rng: np.random.Generator) -> Files:
    """PAMAP2: 54 columns between blanks, no header: time, activity, heart rate (mostly NaN), three sensors."""
    files = {}
    for subject in (101, 102):
        rows = []
        for place in range(240):
            activity = (0, 1, 2, 3)[place // 60]
            heart = "NaN" if place % 11 else f"{104 + place // 11}"
            rows.append(f"{8.38 + place / 100:.2f} {activity} {heart} {numbers(rng.normal(size=51), ' ')}\n")
        files[f"Protocol/subject{subject}.dat"] = "".join(rows)
    return files


def heartbeats(rng: np.random.Generator) -> Files:
    """The MIT-BIH heartbeats of Kaggle: 187 samples and the class, no header, a file a part."""
    return {
        f"mitbih_{part}.csv": "".join(f"{numbers(rng.random(187), ',', '%.18e')},{row % 5:.18e}\n" for row in range(n))
        for part, n in (("train", 20), ("test", 10))
    }


def skab(rng: np.random.Generator) -> Files:
    """SKAB: semicolons, a stamp a second, eight sensors, two marks; a file an experiment."""
    head = "datetime;Accelerometer1RMS;Accelerometer2RMS;Current;Pressure;Temperature;Thermocouple;Voltage;"
    files = {}
    for number in range(4):
        rows = [head + "Volume Flow RateRMS;anomaly;changepoint\n"]
        for second in range(120):
            mark = float(60 <= second < 90)
            rows.append(
                f"2020-03-09 10:{second // 60:02}:{second % 60:02};{numbers(rng.normal(size=8), ';')};{mark};"
                f"{float(second in (60, 90))}\n"
            )
        files[f"SKAB/valve1/{number}.csv"] = "".join(rows)
    return files


def tennessee(rng: np.random.Generator) -> Files:
    """Tennessee Eastman (Rieth et al.): fault, run, sample and 52 variables; a file a part."""
    names = [*(f"xmeas_{place}" for place in range(1, 42)), *(f"xmv_{place}" for place in range(1, 12))]
    files = {}
    for part, n in (("Training", 4), ("Testing", 2)):
        rows = [f'"faultNumber","simulationRun","sample",{",".join(map(repr, names))}\n'.replace("'", '"')]
        rows += [
            f"{fault},{run},{sample},{numbers(rng.normal(size=52))}\n"
            for fault in (0, 1)
            for run in range(1, n + 1)
            for sample in range(1, 26)
        ]
        files[f"TEP_{part}.csv"] = "".join(rows)
    return files


def empatica(rng: np.random.Generator) -> Files:
    """Empatica E4: start and rate in the first two lines, then values; a folder a class, then one a session."""
    files = {}
    for session, state in enumerate(("baseline", "stress") * 3):
        rows = ["1644226528.000000, 1644226528.000000, 1644226528.000000\n", "32.000000, 32.000000, 32.000000\n"]
        rows += [f"{numbers(rng.integers(-60, 60, 3), ',', '%d')}\n" for _ in range(96)]
        files[f"E4/{state}/S{session:02}/ACC.csv"] = "".join(rows)
    return files


def sepsis(rng: np.random.Generator) -> Files:
    """PhysioNet/CinC 2019: a file a patient, bars between cells, an hour a row, mostly NaN, a label for each hour."""
    files = {}
    for patient in range(1, 9):
        rows = ["HR|O2Sat|Temp|SBP|MAP|Resp|Age|Gender|ICULOS|SepsisLabel\n"]
        for hour in range(1, 31):
            cells = [f"{value:.1f}" if rng.random() < 0.7 else "NaN" for value in rng.normal(80, 9, size=6)]
            rows.append(f"{'|'.join(cells)}|{60 + patient}|{patient % 2}|{hour}|{int(patient % 2 and hour > 20)}\n")
        files[f"training_setA/p{patient:06}.psv"] = "".join(rows)
    return files


def seizures(rng: np.random.Generator) -> Files:
    """The UCI seizure set: an id without a name, X1 to X178, and y from 1 to 5."""
    rows = [f'"",{",".join(f"X{place}" for place in range(1, 179))},y\n'.replace('""', "")]
    rows += [
        f"X{row}.V1.{row * 7 + 1},{numbers(rng.normal(0, 90, size=178), ',', '%.0f')},{row % 5 + 1}\n"
        for row in range(20)
    ]
    return {"data.csv": "".join(rows)}


def occupancy(rng: np.random.Generator) -> Files:
    """UCI occupancy: written by R, so that the header is one name short; a class that changes over time."""
    head = '"date","Temperature","Humidity","Light","CO2","HumidityRatio","Occupancy"\n'
    rows = [
        f'"{row + 1}","2015-02-04 {17 + row // 60:02}:{row % 60:02}:00",{numbers(rng.normal(20, 2, size=5))},'
        f"{row // 40 % 2}\n"
        for row in range(240)
    ]
    return {"datatraining.txt": head + "".join(rows)}


def sports(rng: np.random.Generator) -> Files:
    """Daily and sports activities: a file a segment of five seconds, 45 columns; folders of activity and person."""
    return {
        f"data/a{activity:02}/p{person}/s{segment:02}.txt": "".join(
            f"{numbers(rng.normal(size=45))}\n" for _ in range(125)
        )
        for activity in (1, 2, 3)
        for person in (1, 2)
        for segment in (1, 2)
    }


def arrhythmia(rng: np.random.Generator) -> Files:
    """CinC 2017 as shared in text: a row a file in REFERENCE.csv, without a header; a column a recording."""
    files = {
        f"training2017/A{number:05}.csv": "".join(f"{value:.4f}\n" for value in rng.normal(size=90 + number))
        for number in range(1, 9)
    }
    return files | {"training2017/REFERENCE.csv": "".join(f"A{n:05},{'NAO~'[n % 4]}\n" for n in range(1, 9))}


LAYOUTS = {
    "UCI HAR": Layout(uci_har, 18, 9, 128, ("1", "2", "3"), test=6),
    "WISDM 1.1": Layout(wisdm, 9, 3, 60, ("Jogging", "Sitting", "Walking"), rate=20.0),
    "PAMAP2": Layout(pamap2, 8, 52, 60, ("0", "1", "2", "3")),
    "MIT-BIH heartbeats": Layout(heartbeats, 30, 1, 187, ("0", "1", "2", "3", "4"), test=10),
    "SKAB": Layout(skab, 12, 9, 60, ("0.0", "1.0"), {"label_column": "anomaly", "changing_label": "cut"}, rate=1.0),
    "Tennessee Eastman": Layout(tennessee, 12, 52, 25, ("0", "1"), {"label_column": "faultNumber"}, test=4),
    "Empatica E4": Layout(empatica, 6, 3, 96, ("baseline", "stress"), rate=32.0),
    "CinC 2019 sepsis": Layout(sepsis, 12, 9, 20, ("0", "1")),
    "UCI seizures": Layout(seizures, 20, 1, 178, ("1", "2", "3", "4", "5")),
    "UCI occupancy": Layout(
        occupancy, 6, 5, 40, ("0", "1"), {"label_column": "Occupancy", "changing_label": "cut"}, rate=1 / 60
    ),
    "Daily and sports activities": Layout(sports, 12, 45, 125, ("a01", "a02", "a03"), {"layout": "long"}),
    "CinC 2017": Layout(arrhythmia, 8, 1, 91, ("A", "N", "O", "~")),
}
