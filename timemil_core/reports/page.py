"""A report as one HTML file that opens offline: pictures, numbers, settings, versions, and how to read them."""

from __future__ import annotations

import html
from importlib.metadata import version

import plotly.graph_objects as go
import plotly.io as pio

from timemil_core.data.series_set import SeriesSet
from timemil_core.figures.attention import deletion_figure, probabilities_figure
from timemil_core.figures.series import series_figure
from timemil_core.figures.style import CHART_CONFIG, FONT_FAMILY, THEMES, ThemeName
from timemil_core.models.trained import TrainedModel
from timemil_core.reports.findings import Findings
from timemil_core.reports.script import script

LIBRARIES = ("torch", "numpy", "plotly", "captum")

STYLE = """
body {{ margin: 32px auto; max-width: 1100px; padding: 0 20px; background: {page}; color: {text};
  font: 15px/1.5 {font}; }}
h1 {{ font-size: 24px; }} h2 {{ font-size: 18px; margin-top: 32px; }}
.verdict {{ border-left: 4px solid {accent}; padding: 8px 14px; margin: 16px 0; }}
table {{ border-collapse: collapse; }} td, th {{ padding: 4px 16px 4px 0; text-align: left; vertical-align: top; }}
td.number {{ font-variant-numeric: tabular-nums; }} pre {{ overflow-x: auto; font-size: 13px; }}
"""

READING = (
    "The shade behind the signals and the curve beneath are the same numbers. The removal test takes away what the map "
    "marks first and compares with random orders of equally long blocks: only a map that beats most of them points at "
    "what the model uses. A map that the untrained network or the bare signal's size matches explains the data, not "
    "the model."
)


def report(model: TrainedModel, series_set: SeriesSet, found: Findings, theme: ThemeName = "light") -> bytes:
    """Return the page in UTF-8; Plotly's code is in it once, so that it opens without a network.

    Parameters
    ----------
    model, series_set
        Those that ``found`` is about.
    """
    colours = THEMES[theme]
    style = STYLE.format(page=colours.page, text=colours.text, font=FONT_FAMILY, accent=colours.heat_line)
    title = f"{series_set.name}, series {found.asked.series}: {found.importance.name}"
    parts = [
        f"<h1>{html.escape(title)}</h1>",
        f"<p>{_prediction(model, series_set, found)}</p>",
        f'<p class="verdict">{html.escape(found.removal.sentence)}</p>',
        *_drawn(_figures(model, series_set, found, theme)),
        f"<p>{html.escape(found.importance.note)}</p>",
        "<h2>Numbers</h2>",
        _table(_numbers(found)),
        "<h2>How to read this</h2>",
        f"<p>{html.escape(READING)}</p>",
        "<h2>What it was made of</h2>",
        _table(_origin(model, series_set, found)),
        "<h2>The script that makes these numbers again</h2>",
        f"<pre>{html.escape(script(model, series_set, found.asked))}</pre>",
    ]
    page = (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{html.escape(title)}</title>\n'
        f"<style>{style}</style>\n</head>\n<body>\n" + "\n".join(parts) + "\n</body>\n</html>\n"
    )
    return page.encode()


def _figures(model: TrainedModel, series_set: SeriesSet, found: Findings, theme: ThemeName) -> list[go.Figure]:
    names, importance, removal = model.class_names, found.importance, found.removal
    truth = None if series_set.instance_labels is None else series_set.instance_labels[found.index]
    return [
        series_figure(
            series_set.times(found.index),
            series_set.series[found.index],
            series_set.channel_names,
            series_set.time_unit,
            attention=importance.values,
            attention_title=importance.name,
            attention_unit="weight" if importance.are_weights else "importance",
            channel_attention=importance.per_channel,
            truth=truth if truth is not None and truth.any() else None,
            flat_reference=importance.are_weights,
            signed=importance.signed,
            theme=theme,
        ),
        probabilities_figure(
            found.examination.probabilities,
            names,
            series_set.label_name(found.index),
            found.examination.predicted,
            theme=theme,
        ),
        deletion_figure(
            removal.shares,
            removal.curve,
            removal.random_mean,
            removal.random_low,
            removal.random_high,
            removal.quantity,
            removal.filler,
            theme=theme,
        ),
    ]


def _drawn(figures: list[go.Figure]) -> list[str]:
    return [
        pio.to_html(
            figure,
            config=CHART_CONFIG,
            full_html=False,
            include_plotlyjs=place == 0,
            default_height=f"{figure.layout.height or 450}px",
        )
        for place, figure in enumerate(figures)
    ]


def _prediction(model: TrainedModel, series_set: SeriesSet, found: Findings) -> str:
    predicted = html.escape(model.class_names[found.examination.predicted])
    true = series_set.label_name(found.index)
    told = "the true class is not known" if true is None else f"is <b>{html.escape(true)}</b>"
    explained = html.escape(model.class_names[found.target])
    about = f" The map is about <b>{explained}</b>." if found.importance.class_specific else ""
    return f"Predicted <b>{predicted}</b>, {told}.{about}"


def _numbers(found: Findings) -> dict[str, str]:
    removal, importance = found.removal, found.importance
    numbers = {
        "beats random block orders": f"{removal.rank:.0%} of {len(removal.random_areas)}",
        "as good by chance": f"{removal.chance:.2f}",
        "area over random": f"{removal.area_over_random:+.3f}",
        "comprehensiveness (higher is better)": f"{removal.comprehensiveness:+.3f}",
        "sufficiency (lower is better)": f"{removal.sufficiency:+.3f}",
        "AOPCR over random blocks": f"{removal.aopcr:+.3f}",
    }
    if found.flatness is not None:
        numbers["flatness (1 is flat)"] = f"{found.flatness:.3f}"
    if importance.class_token_mass is not None:
        numbers["kept by the class token"] = f"{importance.class_token_mass:.1%}"
    for name, score in found.scores.items():
        numbers[f"AUROC against the known truth: {name}"] = f"{score.auroc:.3f}"
    return numbers


def _origin(model: TrainedModel, series_set: SeriesSet, found: Findings) -> dict[str, str]:
    return {
        "data": f"{series_set.name} ({found.asked.data}), fingerprint {series_set.fingerprint}",
        "model": f"{found.asked.model}, fingerprint {model.fingerprint}",
        "method": f"{found.importance.name}: {found.importance.reference}",
        "settings": ", ".join(f"{key} = {value}" for key, value in found.asked.settings.items()) or "the defaults",
        "removed points": f"replaced by {found.removal.filler}",
        "versions": ", ".join(f"{name} {version(name)}" for name in ("timemil-core", *LIBRARIES)),
    }


def _table(rows: dict[str, str]) -> str:
    cells = (
        f'<tr><th>{html.escape(name)}</th><td class="number">{html.escape(value)}</td></tr>'
        for name, value in rows.items()
    )
    return f"<table>{''.join(cells)}</table>"
