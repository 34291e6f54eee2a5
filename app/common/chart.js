// Draws a Plotly figure and keeps the drawing when the next figure arrives: Plotly changes what differs, where
// Streamlit's own chart would be taken down and built anew. Charts are drawn one after another, the largest of those in
// sight first, so that what is looked at is there before what stands beside or below it.

const page = (globalThis.timemil ??= { waiting: new Set(), charts: new Set(), drawing: false });
const DEFAULT_HEIGHT = 450;
const ICONS = {
  svg: { width: 24, height: 24, path: "M5 20h14v-2H5v2zM19 9h-4V3H9v6H5l7 7 7-7z" },
  full: { width: 24, height: 24, path: "M7 14H5v5h5v-2H7v-3zm-2-4h2V7h3V5H5v5zm12 7h-3v2h5v-5h-2v3zM14 5v2h3v3h2V5h-5z" },
};

/** Return Plotly, whose code is loaded once for all charts. */
function plotly(address) {
  page.plotly ??= new Promise((resolve, reject) => {
    // Streamlit's own script tells where the server's root is, also behind a proxy.
    const own = document.querySelector('script[src*="/static/js/"]')?.src ?? new URL("/static/js/", location).href;
    const script = document.createElement("script");
    script.src = `${own.split("/static/js/")[0]}/${address}`;
    script.addEventListener("load", () => resolve(globalThis.Plotly));
    script.addEventListener("error", () => {
      script.remove();
      page.plotly = undefined; // the next figure tries again
      reject(new Error("The chart library could not be loaded. Reload the page."));
    });
    document.head.append(script);
  });
  return page.plotly;
}

/** Draw what waits, the largest chart in sight first, and let the browser paint after each. */
async function drawWaiting() {
  if (page.drawing) return;
  page.drawing = true;
  try {
    await new Promise((resolve) => setTimeout(resolve)); // the charts that come with this one are there then
    await plotly([...page.waiting][0].next.library).catch(() => {}); // each chart says so itself
    while (page.waiting.size) {
      const charts = [...page.waiting];
      const sizes = new Map(charts.map((chart) => [chart, sizeInSight(chart.frame.getBoundingClientRect())]));
      const chart = charts.reduce((first, other) => (sizes.get(other) > sizes.get(first) ? other : first));
      page.waiting.delete(chart);
      await chart.draw();
      await painted();
    }
  } finally {
    page.drawing = false;
  }
}

/** Return the area of a chart in sight; of others, less than none the farther down they lie. */
function sizeInSight({ top, bottom, width, height }) {
  return bottom > 0 && top < innerHeight ? width * height : -Math.abs(top);
}

/** Wait until the browser has painted; a hidden tab paints nothing and is not waited for. */
function painted() {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, 100);
    requestAnimationFrame(() => setTimeout(() => (clearTimeout(timer), resolve())));
  });
}

/** Return a place on a time axis, which may be a date. */
function asNumber(time) {
  return typeof time === "number" ? time : Date.parse(time);
}

class Chart {
  constructor(parent) {
    this.parent = parent;
    this.frame = document.createElement("div");
    this.frame.className = "timemil-chart";
    this.frame.setAttribute("role", "figure");
    this.plot = document.createElement("div");
    this.frame.append(this.plot);
    parent.append(this.frame);
    this.picked = "[]";
    this.observer = new ResizeObserver(() => this.resized());
    this.observer.observe(this.frame);
    page.charts.add(this);
  }

  /** Take over what the server sent; the figure is drawn when its turn comes. */
  take(text, setStateValue, setTriggerValue) {
    Object.assign(this, { setStateValue, setTriggerValue });
    if (text === this.text) return;
    this.text = text;
    this.next = JSON.parse(text);
    this.frame.setAttribute("aria-label", this.next.alt);
    const height = this.next.figure.layout.height ?? DEFAULT_HEIGHT;
    if (!document.fullscreenElement) this.frame.style.height = `${height}px`;
    this.height = height;
    this.ask();
  }

  ask() {
    // A chart in a closed tab has no width; it is drawn when the tab is opened.
    if (!this.next || !this.frame.clientWidth) return;
    page.waiting.add(this);
    drawWaiting();
  }

  async draw() {
    const { next } = this;
    if (!next || !this.frame.isConnected) return;
    this.next = undefined;
    this.busy = true;
    try {
      const library = await plotly(next.library);
      const { data, layout } = next.figure;
      const isWhole = document.fullscreenElement === this.frame;
      const shown = { ...layout, autosize: true, height: isWhole ? this.frame.clientHeight : this.height };
      if (next.version !== this.version) {
        // What was picked belongs to the figure before.
        shown.selections = [];
        this.forget();
      }
      this.width = this.frame.clientWidth;
      if (!this.listens) this.plot.replaceChildren(); // why an earlier try failed
      await library.react(this.plot, data, shown, this.config(library, next));
      if (!this.listens) this.listen();
      Object.assign(this, { select: next.select, version: next.version });
      this.plot.dataset.drawn = String(Number(this.plot.dataset.drawn ?? 0) + 1);
    } catch (error) {
      this.plot.textContent = error.message;
    } finally {
      this.busy = false;
    }
  }

  /** Return how the chart behaves: the same object as long as nothing of it changes, else Plotly begins from nothing. */
  config(library, { name, zoom, select, config }) {
    const asked = JSON.stringify([name, zoom, select, config]);
    if (asked !== this.asked) Object.assign(this, { asked, settings: this.newConfig(library, name, zoom, select, config) });
    return this.settings;
  }

  newConfig(library, name, zoom, select, config) {
    const unused = ["lasso2d", "toImage"];
    if (!select) unused.push("select2d");
    if (!zoom) unused.push("zoom2d", "pan2d", "zoomIn2d", "zoomOut2d", "autoScale2d", "resetScale2d");
    const button = (title, icon, click) => ({ name: title, title, icon, click });
    return {
      ...config,
      responsive: false, // the observer sees every change of size, not of the window alone
      modeBarButtonsToRemove: unused,
      modeBarButtonsToAdd: [
        button("Download as PNG", library.Icons.camera, () => this.download(library, name, "png")),
        button("Download as SVG", ICONS.svg, () => this.download(library, name, "svg")),
        button("Full screen", ICONS.full, () => this.fillScreen()),
      ],
    };
  }

  /** Save the figure as it is shown, on the page's colour: on screen the page shows through. */
  download(library, filename, format) {
    const colour = getComputedStyle(this.frame).getPropertyValue("--st-background-color").trim() || "#fff";
    const { data, layout } = this.plot;
    const size = { width: this.plot.offsetWidth, height: this.plot.offsetHeight };
    library.downloadImage({ data, layout: { ...layout, paper_bgcolor: colour } }, { format, filename, scale: 2, ...size });
  }

  fillScreen() {
    if (document.fullscreenElement) document.exitFullscreen();
    else this.frame.requestFullscreen();
  }

  resized() {
    this.ask();
    const isWhole = document.fullscreenElement === this.frame;
    const height = isWhole ? this.frame.clientHeight : this.height;
    const { clientWidth: width } = this.frame;
    if (!this.listens || this.busy || !width) return;
    if (width === this.width && height === this.plot.layout.height) return;
    this.width = width;
    globalThis.Plotly.relayout(this.plot, { autosize: true, height });
  }

  listen() {
    this.listens = true;
    this.plot.on("plotly_selected", (event) => this.choose(event?.points ?? [], event?.selections ?? []));
    this.plot.on("plotly_deselect", () => this.choose([], []));
    this.plot.on("plotly_hover", (event) => this.point(event));
    this.plot.on("plotly_unhover", (event) => this.linked && event.event instanceof Event && this.others((one) => one.show()));
  }

  /** What of this chart is in others too (`app/common/chart.py`): times by series of its points, or its own series. */
  get linked() {
    return this.plot.layout?.meta?.linked;
  }

  others(act) {
    for (const chart of page.charts) if (chart !== this && chart.listens && chart.linked) act(chart);
  }

  /** Show in the other charts the time point that a person points at in this one. */
  point({ event, points: [{ x, customdata }] }) {
    const { linked } = this;
    if (!linked || !(event instanceof Event)) return; // else what another chart has shown would be shown there again
    if (linked.series !== undefined) this.others((one) => one.show(linked.series, x));
    else if (customdata) this.others((one) => one.show(customdata[0], linked.times[customdata[0]][customdata[1]]));
  }

  /** Show a time point of a series as if it were pointed at; without one, nothing any more. */
  show(series, time) {
    const { linked, plot } = this;
    const { Fx } = globalThis.Plotly;
    const isSignal = linked.series !== undefined;
    if (series === undefined || (isSignal ? linked.series !== series : !linked.times[series])) {
      Fx.unhover(plot);
      return;
    }
    if (isSignal) {
      const rows = plot.data.map(({ xaxis, yaxis }) => `${xaxis ?? "x"}${yaxis ?? "y"}`);
      Fx.hover(plot, { xval: asNumber(time) }, [...new Set(rows)]);
      return;
    }
    const distances = linked.times[series].map((one) => Math.abs(asNumber(one) - asNumber(time)));
    const nearest = distances.indexOf(Math.min(...distances));
    plot.data.forEach(({ customdata }, curveNumber) => {
      const pointNumber = customdata?.findIndex((id) => id[0] === series && id[1] === nearest) ?? -1;
      if (pointNumber >= 0) Fx.hover(plot, [{ curveNumber, pointNumber }]);
    });
  }

  /** Tell the server what a person chose: a box once, when it is drawn; points for as long as they are picked. */
  choose(points, selections) {
    if (!this.select || this.busy) return;
    if (this.select === "box") {
      const box = selections.findLast(({ type }) => type === "rect");
      if (!box) return;
      const { x0, x1, y0, y1, xref, yref } = box;
      this.setTriggerValue("box", { xref, yref, x: [x0, x1], y: [y0, y1] });
      return;
    }
    const picked = points.map(({ x, y, curveNumber, pointIndex, customdata }) => ({
      x,
      y,
      curve_number: curveNumber,
      point_index: pointIndex,
      customdata,
    }));
    const text = JSON.stringify(picked);
    if (text === this.picked) return;
    this.picked = text;
    this.setStateValue("points", { version: this.version, points: picked });
  }

  /** Let go of points that were picked. */
  forget() {
    if (this.picked === "[]") return;
    this.picked = "[]";
    this.setStateValue("points", null);
  }

  remove() {
    page.waiting.delete(this);
    page.charts.delete(this);
    this.observer.disconnect();
    if (this.listens) globalThis.Plotly.purge(this.plot);
    this.frame.remove();
  }
}

export default function ({ data, parentElement, setStateValue, setTriggerValue }) {
  parentElement.timemilChart ??= new Chart(parentElement);
  parentElement.timemilChart.take(new TextDecoder().decode(data), setStateValue, setTriggerValue);
  return () => {
    parentElement.timemilChart?.remove();
    delete parentElement.timemilChart;
  };
}
