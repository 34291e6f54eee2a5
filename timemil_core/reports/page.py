"""A report as one HTML file that opens offline: pictures, numbers, settings, versions, and how to read them."""

from __future__ import annotations

import html
from importlib.metadata import version

from timemil_core.data.series_set import SeriesSet
from timemil_core.explain.verdicts import BY_CHANCE_MEASURED, IN_PLACE
from timemil_core.figures.offline import drawing_code, placed
from timemil_core.figures.style import FONT_FAMILY, THEMES, ThemeName
from timemil_core.models.trained import TrainedModel
from timemil_core.reports.findings import Findings
from timemil_core.reports.pictures import pictures
from timemil_core.reports.script import script

LIBRARIES = ("torch", "numpy", "plotly", "captum")

STYLE = """
body {{ margin: 32px auto; max-width: 1100px; padding: 0 20px; background: {page}; color: {text};
  font: 15px/1.5 {font}; color-scheme: {theme}; }}
h1 {{ font-size: 24px; line-height: 1.25; }} h2 {{ font-size: 18px; margin: 32px 0 8px; }}
p, li {{ max-width: 50em; }}
.verdict {{ border-left: 4px solid {muted}; padding: 8px 14px; margin: 16px 0; font-weight: 600; }}
.verdict.strong {{ border-color: {good}; }}
table {{ border-collapse: collapse; }} th {{ font-weight: 600; }}
td, th {{ padding: 4px 16px 4px 0; text-align: left; vertical-align: top; overflow-wrap: anywhere; }}
td.number {{ font-variant-numeric: tabular-nums; }}
pre {{ overflow-x: auto; font-size: 13px; padding: 12px; border: 1px solid {grid}; border-radius: 6px; }}
@media print {{ .plotly-graph-div, table, pre {{ break-inside: avoid; }} }}
"""

READING = (
    "The shade behind the signals and the curve beneath are the same numbers. The removal test takes away what the map "
    "marks first and compares with the same marks at random places: only a map that beats most of them points at what "
    "the model uses. A map that the untrained network or the bare signal's size matches explains the data, not "
    f"the model. {BY_CHANCE_MEASURED}"
)
READING_EDITED = (
    "Where the series was changed, the original is dotted and the coloured line stands there instead; values that were "
    "taken away leave a gap. Both maps are about the same class. The removal test is of the edited series: it takes "
    "away what its map marks first and compares with the same marks at random places. An edited series may be "
    "unlike any that the model has seen, and then its answer tells little about real ones. "
    f"{BY_CHANCE_MEASURED}"
)


def report(model: TrainedModel, series_set: SeriesSet, found: Findings, theme: ThemeName = "light") -> bytes:
    """Return the page in UTF-8, the same for the same findings; Plotly's code is in it, so it opens without a network.

    Parameters
    ----------
    model, series_set
        Those that ``found`` is about.
    """
    edited = found.comparison is not None
    title = f"{series_set.name}, series {found.asked.series}{', edited' if edited else ''}: {found.importance.name}"
    level = "strong" if found.verdict.level == "strong" else "weak"
    parts = [
        f"<h1>{html.escape(title)}</h1>",
        f"<p>{_prediction(model, series_set, found)}</p>",
        f'<p class="verdict {level}">{html.escape(found.verdict.sentence)}</p>',
        f"<p>{html.escape(found.insertion.sentence)}</p>",
        *_lineage(found),
    ]
    for place, (heading, figure) in enumerate(pictures(model, series_set, found, theme)):
        parts += [f"<h2>{html.escape(heading)}</h2>", placed(figure, f"figure-{place + 1}")]
        if place == 0:
            parts.append(f"<p>{html.escape(found.importance.note)}</p>")
    parts += [
        "<h2>Numbers</h2>",
        _table(_numbers(found)),
        "<h2>How to read this</h2>",
        f"<p>{html.escape(READING_EDITED if edited else READING)}</p>",
        "<h2>What it was made of</h2>",
        _table(_origin(model, series_set, found)),
        "<h2>The script that makes this page again</h2>",
        f"<pre>{html.escape(script(model, series_set, found.asked, theme))}</pre>",
        drawing_code(),
    ]
    page = (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{html.escape(title)}</title>\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<style>{_style(theme)}</style>\n</head>\n<body>\n" + "\n".join(parts) + "\n</body>\n</html>\n"
    )
    return page.encode()


def _style(theme: ThemeName) -> str:
    colours = THEMES[theme]
    return STYLE.format(
        page=colours.page, text=colours.text, muted=colours.muted, grid=colours.grid, good=colours.truth,
        font=FONT_FAMILY, theme=theme,
    )  # fmt: skip


def _prediction(model: TrainedModel, series_set: SeriesSet, found: Findings) -> str:
    predicted = html.escape(model.class_names[found.examination.predicted])
    true = series_set.label_name(found.index)
    told = "the true class is not known" if true is None else f"is <b>{html.escape(true)}</b>"
    if found.comparison is not None:
        told = f"as edited; the original {told}"
    explained = html.escape(model.class_names[found.target])
    about = f" The map is about <b>{explained}</b>." if found.importance.class_specific else ""
    return f"Predicted <b>{predicted}</b>, {told}.{about}"


def _lineage(found: Findings) -> list[str]:
    if found.comparison is None:
        return []
    steps = "".join(f"<li>{html.escape(step)}</li>" for step in found.edited.lineage)
    return [
        "<h2>What was changed</h2>",
        f"<ol>{steps}</ol>",
        f"<p>{found.edited.changed_share:.1%} of time points × channels differ from the original. "
        f"{html.escape(found.comparison.sentence)}</p>",
    ]


def _numbers(found: Findings) -> dict[str, str]:
    removal, restoring, importance = found.removal, found.insertion, found.importance
    second = found.verdict.second
    numbers = {
        "removed: beats random places": f"{removal.rank:.0%} of {len(removal.random_areas)}",
        "removed: as good by chance": f"{removal.chance:.0%} of maps that mean nothing",
        f"removed: fall over random places ({removal.quantity})": f"{removal.area_over_random:+.3f}",
        f"{IN_PLACE[second.filler]} instead: beats random places": f"{second.rank:.0%} of {len(second.random_areas)}",
        "restored: beats random places": f"{restoring.rank:.0%} of {len(restoring.random_areas)}",
        f"restored: rise over random places ({restoring.quantity})": f"{restoring.area_over_random:+.3f}",
        "comprehensiveness (probability; higher is better)": f"{removal.comprehensiveness:+.3f}",
        "sufficiency (probability; lower is better)": f"{removal.sufficiency:+.3f}",
        f"AOPCR over random places ({removal.quantity})": f"{removal.aopcr:+.3f}",
    }
    if found.flatness is not None:
        numbers["flatness (1 is flat)"] = f"{found.flatness:.3f}"
    if importance.class_token_mass is not None:
        numbers["kept by the class token"] = f"{importance.class_token_mass:.1%}"
    if found.on_padding is not None:
        numbers["weight on padding (0: it never counts)"] = f"{found.on_padding:.1%}"
    for name, score in found.scores.items():
        numbers[f"against the known truth: {name}"] = (
            f"AUROC {score.auroc:.3f} (chance: 0.5), average precision {score.average_precision:.3f} and mass inside "
            f"{score.mass_inside:.3f} (chance: {score.share_of_time:.3f}), NDCG@n {score.ndcg:.3f}, peak "
            f"{'inside' if score.pointing_game else 'outside'}"
        )
    return numbers


def _origin(model: TrainedModel, series_set: SeriesSet, found: Findings) -> dict[str, str]:
    return {
        "data": f"{series_set.name} ({found.asked.data}), fingerprint {series_set.fingerprint}",
        "model": f"{found.asked.model}, fingerprint {model.fingerprint}",
        "method": f"{found.importance.name}: {found.importance.reference}",
        "settings": ", ".join(f"{key} = {value}" for key, value in found.asked.settings.items()) or "the defaults",
        "removed points": f"{IN_PLACE[found.removal.filler]}; tried again {IN_PLACE[found.verdict.second.filler]}",
        "versions": ", ".join(f"{name} {version(name)}" for name in ("timemil-core", *LIBRARIES)),
    }


def _table(rows: dict[str, str]) -> str:
    cells = (
        f'<tr><th scope="row">{html.escape(name)}</th><td class="number">{html.escape(value)}</td></tr>'
        for name, value in rows.items()
    )
    return f"<table>{''.join(cells)}</table>"
