"""A report as one HTML file that opens offline: pictures, numbers, settings, versions, and how to read them."""

from __future__ import annotations

import html
from importlib.metadata import version

from timemil_core.data.series_set import SeriesSet
from timemil_core.explain.evaluation.fillers import IN_PLACE
from timemil_core.explain.evaluation.wording import CHIP, fillers_told, standing_sentence
from timemil_core.figures.offline import drawing_code, placed
from timemil_core.figures.style import FONT_FAMILY, THEMES, ThemeName
from timemil_core.models.trained import TrainedModel
from timemil_core.reports.findings import Findings
from timemil_core.reports.pictures import pictures
from timemil_core.reports.script import script
from timemil_core.reports.whole_model import whole_model

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
    "The shade behind the signals and the curve beneath are the same numbers. What a map is worth is told over many "
    "series: what it marks is removed, or restored, first, and the model's answer is held against the same map moved "
    "to other places, and against the maps of other series. One series decides little. A map that the untrained "
    "network or the bare signal's size matches explains the data, not the model."
)
READING_EDITED = (
    "Where the series was changed, the original is dotted and the coloured line stands there instead; values that were "
    "taken away leave a gap. Both maps are about the same class. The test is of the edited series, which may be unlike "
    "any that the model has seen; then its answer tells little about real ones."
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
    parts = [
        f"<h1>{html.escape(title)}</h1>",
        f"<p>{_prediction(model, series_set, found)}</p>",
        *_worth(found),
        f"<p>{html.escape(found.sentence)}</p>",
        *_lineage(found),
    ]
    for place, (heading, figure) in enumerate(pictures(model, series_set, found, theme)):
        parts += [f"<h2>{html.escape(heading)}</h2>", placed(figure, f"figure-{place + 1}")]
        if place == 0:
            parts.append(f"<p>{html.escape(found.importance.note)}</p>")
    parts += [
        "<h2>Numbers</h2>",
        _table(_numbers(found)),
        *whole_model(model, series_set, found.asked.model),
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


def _worth(found: Findings) -> list[str]:
    level, ranked = found.level, found.ranked
    if level is None or ranked is None:
        return ['<p class="verdict weak">What this method is worth for this model has not been measured.</p>']
    kind = "strong" if level == "strong" else "weak"
    name = found.verdict.question.target_name
    standing = ranked.by_class.get(name, ranked.standing)
    over = f"{standing.n_series} series" + (f" of class {name!r}" if name in ranked.by_class else "")
    sentence = html.escape(standing_sentence(ranked.title, standing, over))
    told = f"<b>{html.escape(CHIP[level].capitalize())}.</b> {sentence}"
    return [f'<p class="verdict {kind}">{told}</p>']


def _numbers(found: Findings) -> dict[str, str]:
    verdict, importance = found.verdict, found.importance
    quantity = verdict.question.quantity
    numbers = {
        "beats other places": f"{verdict.n_beaten} of {verdict.n_places} (p = {verdict.chance:.3f})",
        f"moves the {quantity} more than elsewhere by": f"{verdict.excess:+.3f} ({verdict.of_logit:.0%} of it)",
        "as good farther away": f"{verdict.n_as_good_apart} places",
    }
    for filler, value in verdict.comprehensiveness.items():
        told = IN_PLACE[filler]
        numbers |= {
            f"comprehensiveness, {told} (probability; higher is better)": f"{value:+.3f}",
            f"sufficiency, {told} (probability; lower is better)": f"{verdict.sufficiency[filler]:+.3f}",
            f"AOPCR, {told} ({quantity}; 0: random order)": f"{found.aopcr[filler]:+.3f}",
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
        "removed points": fillers_told(tuple(found.aopcr)),
        "versions": ", ".join(f"{name} {version(name)}" for name in ("timemil-core", *LIBRARIES)),
    }


def _table(rows: dict[str, str]) -> str:
    cells = (
        f'<tr><th scope="row">{html.escape(name)}</th><td class="number">{html.escape(value)}</td></tr>'
        for name, value in rows.items()
    )
    return f"<table>{''.join(cells)}</table>"
