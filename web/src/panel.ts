// The panel beside a diagnosis: the picture, zoom, search, and what is known of the selected node.

import { select } from "d3-selection";
import { zoom, zoomIdentity, type ZoomTransform } from "d3-zoom";
import { h, s, type Child } from "./dom";
import { Lineage } from "./graph";
import { place, type Placed } from "./layout";
import { definitions, draw } from "./picture";
import { placeText, shapeText, type Diagnosis, type LineageNode, type Report } from "./report";

const READABLE = 0.6; // below this scale, text is too small: show a part of the picture instead of all of it

const MOST = 1500; // more nodes than this are opened layer by layer only

const SIGNS = {
  collapse: "M2.5 2.5 h11 v11 h-11 Z M5.5 8 h5",
  open: "M2.5 2.5 h11 v11 h-11 Z M5.5 8 h5 M8 5.5 v5",
  minus: "M3.5 8 h9",
  plus: "M3.5 8 h9 M8 3.5 v9",
  all: "M2 5 V2 h3 M11 2 h3 v3 M14 11 v3 h-3 M5 14 H2 v-3 M5.5 5.5 h5 v5 h-5 Z",
  enlarge: "M9.5 2.5 h4 v4 M13.5 2.5 L9 7 M6.5 13.5 h-4 v-4 M2.5 13.5 L7 9",
};

export class Panel {
  private readonly lineage: Lineage;
  private readonly svg: SVGSVGElement;
  private readonly stage = h("div", { class: "stage" });
  private readonly details = h("div", { class: "details", "aria-live": "polite" });
  private readonly found = h("span", { class: "found", "aria-live": "polite" });
  private readonly query: HTMLInputElement;
  private readonly zooming;
  private canvas!: SVGGElement;
  private placed!: Placed;
  private transform: ZoomTransform = zoomIdentity;
  private selected: LineageNode | null = null;
  private matches: LineageNode[] = [];
  private match = -1;

  constructor(private readonly root: HTMLElement, private readonly diagnosis: Diagnosis, private readonly report: Report, number: number) {
    this.lineage = new Lineage(diagnosis.lineage!);
    const id = `picture${number}`;
    const title = s("title", {}, "lineage from source to target");
    this.svg = s("svg", { class: "picture", role: "group", "aria-label": "lineage", id }, title, definitions(id));
    this.query = h("input", {
      type: "search",
      placeholder: "Find op, name, layer, line",
      "aria-label": "Find in the lineage",
      spellcheck: "false",
      input: () => this.search(),
      keydown: (event: KeyboardEvent) => event.key === "Enter" && this.nextMatch(event.shiftKey ? -1 : 1),
    });
    // A wheel over the picture scrolls the page, as a finger does, unless the picture was asked for.
    this.zooming = zoom<SVGSVGElement, unknown>()
      .scaleExtent([0.05, 4])
      .filter((event: MouseEvent & TouchEvent) => {
        if (event.type === "wheel") return event.ctrlKey || event.metaKey || this.enlarged;
        if (event.touches) return event.touches.length > 1 || this.enlarged;
        return !event.button;
      })
      .on("zoom", (event: { transform: ZoomTransform }) => {
        this.transform = event.transform;
        this.canvas.setAttribute("transform", String(event.transform));
        this.anchor();
      });
    const list = root.querySelector(".as-text");
    this.stage.append(this.svg, this.details);
    root.replaceChildren(this.toolbar(), this.stage, this.legend(), this.opener(), ...(list ? [list] : []));
    select(this.svg).call(this.zooming).on("dblclick.zoom", null);
    this.redraw();
    this.fit();
    this.svg.addEventListener("click", () => this.show(null));
    this.svg.addEventListener("keydown", (event) => event.key === "Escape" && !this.enlarged && this.show(null));
    root.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && this.enlarged) this.enlarge();
    });
    root.classList.add("ready");
  }

  private get enlarged(): boolean {
    return this.root.classList.contains("enlarged");
  }

  private toolbar(): HTMLElement {
    const button = (label: string, sign: string, click: () => void) =>
      h(
        "button",
        { type: "button", class: "tool", title: label, "aria-label": label, click },
        s("svg", { viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true" }, s("path", { d: sign })),
      );
    const layers = this.lineage.layerPaths.length > 0;
    return h(
      "div",
      { class: "toolbar", role: "toolbar", "aria-label": "Lineage" },
      this.query,
      this.found,
      h("span", { class: "spacer" }),
      layers && button("Collapse all layers", SIGNS.collapse, () => this.collapseAll(true)),
      layers && this.lineage.nodes.size <= MOST && button("Open all layers", SIGNS.open, () => this.collapseAll(false)),
      button("Zoom out", SIGNS.minus, () => select(this.svg).call(this.zooming.scaleBy, 1 / 1.3)),
      button("Zoom in", SIGNS.plus, () => select(this.svg).call(this.zooming.scaleBy, 1.3)),
      button("Fit to view", SIGNS.all, () => this.fit(true)),
      button("Enlarge", SIGNS.enlarge, () => this.enlarge()),
    );
  }

  /** Opens the picture where the window is too narrow to have it beside the text. */
  private opener(): HTMLElement {
    return h("button", { type: "button", class: "opener", click: () => this.enlarge() }, "Show the graph in the whole window");
  }

  private legend(): HTMLElement {
    const line = (state: string) => s("svg", { width: 26, height: 8, "aria-hidden": "true" }, s("path", { class: `link ${state}`, d: "M1 4 H25" }));
    const omitted = this.diagnosis.lineage!.omitted;
    return h(
      "p",
      { class: "legend" },
      h("span", {}, line("connected"), this.isGradient ? "the gradient arrives here" : "connected"),
      h("span", {}, line("lost"), this.isGradient ? "no gradient arrives here" : "lost"),
      this.lineage.cuts > 0 &&
        h("span", {}, h("span", { class: "cut-sign", "aria-hidden": "true" }, "✕"), this.lineage.cuts === 1 ? "cut here" : `${this.lineage.cuts} cuts`),
      omitted > 0 && h("span", {}, `${omitted.toLocaleString("en")} other ${omitted === 1 ? "operation" : "operations"} not drawn`),
    );
  }

  private redraw(): void {
    this.placed = place(this.lineage.visible());
    this.canvas?.remove();
    this.canvas = draw(this.placed, {
      select: (item) => this.show(item.item.node),
      toggle: (path) => this.toggle(path),
    });
    for (const path of this.canvas.querySelectorAll<SVGPathElement>(".link")) {
      path.setAttribute("marker-end", `url(#${this.svg.id}-${path.dataset.head})`);
    }
    this.canvas.setAttribute("transform", String(this.transform));
    this.svg.append(this.canvas);
    this.dress();
    this.anchor();
  }

  /** Marks the selected node and what a search found. */
  private dress(): void {
    const hits = new Set(this.matches.map((node) => "node:" + node.id));
    const layers = new Set(this.matches.flatMap((node) => this.lineage.around(node)));
    const searching = this.query.value.trim() !== "";
    for (const element of this.canvas.querySelectorAll<SVGGElement>(".node")) {
      const key = element.dataset.key!;
      const inside = key.startsWith("layer:") && layers.has(key.slice(6));
      element.classList.toggle("dimmed", searching && !hits.has(key) && !inside);
      element.classList.toggle("hit", searching && (hits.has(key) || inside));
      element.classList.toggle("selected", this.selected !== null && key === "node:" + this.selected.id);
    }
  }

  private size(): { width: number; height: number } {
    const box = this.svg.getBoundingClientRect();
    return { width: box.width || 480, height: box.height || 420 };
  }

  /** Shows all of it; where that would be too small to read, the last cut or the layer around it, and the target if both fit. */
  private fit(all = false): void {
    if (!this.enlarged) this.svg.style.height = `${Math.min(Math.max(620, innerHeight - 260), Math.max(220, this.placed.height))}px`;
    const { width, height } = this.size();
    const scale = Math.min(1.25, width / this.placed.width, height / this.placed.height);
    if (all || scale >= READABLE) {
      return this.moveTo(this.placed.width / 2, this.placed.height / 2, scale);
    }
    const target = this.placed.items.find((item) => item.item.node?.role === "target");
    const cuts = this.placed.links.flatMap((link) => link.mark ?? []);
    const far = (place: { x: number; y: number }) => (target ? Math.hypot(place.x - target.x, place.y - target.y) : 0);
    const first = cuts.sort((a, b) => far(a) - far(b))[0] ?? this.placed.items.find((item) => item.item.cuts > 0);
    const most = Math.max(READABLE, Math.min(1, width / this.placed.width));
    const fitting = first && target ? Math.min((width - 160) / Math.abs(first.x - target.x), (height - 80) / Math.abs(first.y - target.y)) : 0;
    const both = first && target && fitting >= READABLE;
    const readable = both ? Math.min(most, fitting) : most;
    const centre = both
      ? { x: (first.x + target.x) / 2, y: (first.y + target.y) / 2 }
      : first ?? target ?? { x: this.placed.width / 2, y: this.placed.height / 2 };
    const half = height / 2 / readable;
    const y = this.placed.height <= 2 * half ? this.placed.height / 2 : Math.min(Math.max(centre.y, half), this.placed.height - half);
    const x = this.placed.width * readable <= width ? this.placed.width / 2 : centre.x;
    this.moveTo(x, y, readable);
  }

  private moveTo(x: number, y: number, scale: number): void {
    const { width, height } = this.size();
    const to = zoomIdentity.translate(width / 2 - x * scale, height / 2 - y * scale).scale(scale);
    select(this.svg).call(this.zooming.transform, to);
  }

  /** Opens or closes a layer; the place that was clicked stays where it is. */
  private toggle(path: string): void {
    const before = this.headOf(path);
    if (!this.lineage.collapsed.delete(path)) this.lineage.collapsed.add(path);
    this.redraw();
    const after = this.headOf(path);
    if (before && after) {
      const { x, y, k } = this.transform;
      const to = zoomIdentity.translate(x + (before.x - after.x) * k, y + (before.y - after.y) * k).scale(k);
      select(this.svg).call(this.zooming.transform, to);
    }
    const element = [...this.canvas.querySelectorAll<SVGGElement>("[data-key], [data-layer]")].find(
      (one) => one.dataset.key === "layer:" + path || one.dataset.layer === path,
    );
    (element?.querySelector<SVGGElement>(".layer-head") ?? element)?.focus({ preventScroll: true });
  }

  private headOf(path: string): { x: number; y: number } | null {
    const box =
      this.placed.layers.find((layer) => layer.path === path) ??
      this.placed.items.find((item) => item.item.key === "layer:" + path);
    return box ? { x: box.x, y: box.y - box.height / 2 } : null;
  }

  private collapseAll(collapse: boolean): void {
    this.lineage.collapsed.clear();
    if (collapse) for (const path of this.lineage.layerPaths) this.lineage.collapsed.add(path);
    this.redraw();
    this.fit();
  }

  private enlarge(): void {
    const enlarged = this.root.classList.toggle("enlarged");
    document.body.classList.toggle("covered", enlarged);
    if (enlarged) {
      this.svg.style.removeProperty("height");
      this.root.tabIndex = -1; // the button that was pressed may be gone now, and Escape is heard where the focus is
      this.root.focus({ preventScroll: true });
    }
    this.fit();
  }

  private search(): void {
    const query = this.query.value.trim().toLowerCase();
    const text = (node: LineageNode) =>
      [node.op, node.name, node.layer, node.dtype, shapeText(node.shape), node.location && placeText(node.location)]
        .join(" ")
        .toLowerCase();
    this.matches = query ? [...this.lineage.nodes.values()].filter((node) => text(node).includes(query)) : [];
    this.match = -1;
    this.found.textContent = query ? (this.matches.length ? `${this.matches.length} found` : "nothing found") : "";
    this.dress();
  }

  private nextMatch(step: number): void {
    const count = this.matches.length;
    if (!count) return;
    this.match = this.match < 0 ? (step > 0 ? 0 : count - 1) : (this.match + step + count) % count;
    this.found.textContent = `${this.match + 1} of ${count}`;
    const node = this.matches[this.match]!;
    if (this.lineage.reveal(node)) this.redraw();
    const item = this.placed.items.find((one) => one.item.node === node)!;
    this.moveTo(item.x, item.y, Math.max(this.transform.k, 0.9));
    this.show(node);
  }

  private show(node: LineageNode | null): void {
    this.selected = node;
    this.dress();
    if (!node) return this.details.replaceChildren();
    const reached = this.lineage.connected(node);
    const rows: [string, Child][] = [
      ["op", h("code", {}, node.op)],
      ["name", node.name && h("code", {}, node.name)],
      ["shape", shapeText(node.shape) || "not recorded"],
      ["dtype", node.dtype || "not recorded"],
      ["layer", node.layer],
      ["represents", node.stands_for > 1 && `${node.stands_for.toLocaleString("en")} operations`],
      ["line", node.location ? this.lineOf(node.location) : "not recorded"],
    ];
    this.details.replaceChildren(
      h("p", { class: `details-state ${reached ? "connected" : "lost"}` }, `${reached ? "●" : "✕"} ${this.state(node)}`),
      h("dl", {}, ...rows.filter(([, value]) => value).flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)])),
    );
    this.anchor();
  }

  /** Puts the details beside their node: to its right where there is room, else to its left, else below or above it. */
  private anchor(): void {
    const item = this.selected && this.placed.items.find((one) => one.item.node === this.selected);
    if (!item) return;
    const { width, height } = this.size();
    const own = this.details.getBoundingClientRect();
    const [x, y] = this.transform.apply([item.x, item.y]);
    const [across, down] = [(item.width / 2) * this.transform.k + 10, (item.height / 2) * this.transform.k + 10];
    const inside = (at: number, size: number, room: number) => Math.max(6, Math.min(at, room - size - 6));
    const beside = x + across + own.width <= width ? x + across : x - across - own.width;
    const free = beside >= 0;
    const above = y + down + own.height > height && y - down - own.height >= 0;
    const left = inside(free ? beside : x - own.width / 2, own.width, width);
    const top = inside(free ? y - own.height / 2 : above ? y - down - own.height : y + down, own.height, height);
    this.details.style.left = `${left}px`;
    this.details.style.top = `${top}px`;
  }

  /** What becomes of the gradient, or the connection, at this node: whether it arrives, and whether it ends here. */
  private state(node: LineageNode): string {
    const [yes, no] = this.isGradient ? ["the gradient arrives here", "no gradient arrives here"] : ["connected to the target", "not connected to the target"];
    const [before, after] = this.lineage.cutsAt(node);
    const why = (cut: { label: string }) => (cut.label ? ` (${cut.label})` : "");
    if (after) return `${no}: the path from ${after.end.op} is cut${why(after)}`;
    if (before) return `${yes}, but the path on to ${before.start.op} is cut${why(before)}`;
    return this.lineage.connected(node) ? yes : no;
  }

  private get isGradient(): boolean {
    return this.diagnosis.family !== "keras-history" && this.diagnosis.family !== "graph";
  }

  private lineOf(place: { file: string; line: number; column: number | null }): HTMLElement {
    const name = placeText(place);
    const text = this.report.excerpts[place.file]?.[place.line]?.trim();
    const row = [...document.querySelectorAll<HTMLElement>(".line[data-line]")].find(
      (line) => line.dataset.file === place.file && line.dataset.line === String(place.line) && line.closest("article") === this.root.closest("article"),
    );
    const link = row
      ? h("button", { type: "button", class: "to-source", title: "Show in the source", click: () => this.flash(row) }, name)
      : h("span", {}, name);
    return h("span", { class: "details-line" }, link, text && h("code", { class: "details-code" }, text));
  }

  private flash(row: HTMLElement): void {
    if (this.enlarged) this.enlarge();
    row.scrollIntoView({ block: "center", behavior: "instant" });
    row.classList.remove("flash");
    void row.offsetWidth; // restarts the animation
    row.classList.add("flash");
  }
}
