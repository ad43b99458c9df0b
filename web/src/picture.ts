// Draws a placed lineage as SVG. Colours come from the style sheet; here are only shapes and class names, so that
// light, dark and forced colours need nothing of this code. Lost parts differ by line style and mark, not colour alone.

import { clip, s } from "./dom";
import { LAYER_HEAD, type Placed, type PlacedItem, type PlacedLayer, type PlacedLink } from "./layout";

export interface Handlers {
  select(item: PlacedItem): void;
  toggle(path: string): void;
}

export function draw(placed: Placed, handlers: Handlers): SVGGElement {
  const ranked = [...placed.links].sort((a, b) => Number(a.link.cut) - Number(b.link.cut));
  return s(
    "g",
    {},
    s("g", { class: "layers" }, ...placed.layers.map((layer) => drawLayer(layer, handlers))),
    s("g", { class: "links" }, ...ranked.map(drawLink)),
    s("g", { class: "nodes" }, ...placed.items.map((item) => drawItem(item, handlers))),
    s("g", { class: "cuts" }, ...ranked.filter((link) => link.mark).map(drawCut)),
  );
}

/** Patterns and arrow heads. Ids are per picture: a page has several. */
export function definitions(id: string): SVGDefsElement {
  const head = (state: string) =>
    s(
      "marker",
      { id: `${id}-${state}`, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" },
      s("path", { class: `head ${state}`, d: "M0.5 0.5 L7 4 L0.5 7.5 Z" }),
    );
  return s("defs", {}, head("connected"), head("lost"));
}

function pressable(label: string, act: () => void) {
  return {
    tabindex: 0,
    role: "button",
    "aria-label": label,
    click: (event: MouseEvent) => {
      event.stopPropagation();
      act();
    },
    keydown: (event: KeyboardEvent) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      act();
    },
  };
}

function drawLayer(layer: PlacedLayer, handlers: Handlers): SVGGElement {
  const left = layer.x - layer.width / 2;
  const top = layer.y - layer.height / 2;
  return s(
    "g",
    { class: `layer ${layer.state}`, "data-layer": layer.path },
    s("rect", { x: left, y: top, width: layer.width, height: layer.height, rx: 8 }),
    s(
      "g",
      { class: "layer-head", ...pressable(`collapse layer ${layer.path}`, () => handlers.toggle(layer.path)) },
      s("title", {}, `${layer.path}: click to collapse`),
      s("rect", { class: "hit", x: left, y: top, width: layer.width, height: LAYER_HEAD, rx: 8 }),
      s("path", { class: "fold-sign", d: `M${left + 10} ${top + 9} l4 5 l4 -5` }),
      s("text", { x: left + 24, y: top + 15 }, clip(layer.title, 30)),
    ),
  );
}

function drawItem(placed: PlacedItem, handlers: Handlers): SVGGElement {
  const { item, x, y, width, height } = placed;
  const role = item.node ? (item.node.stands_for > 1 ? "summary" : item.node.role) : "collapsed";
  const label = [placed.title, placed.subtitle, item.state === "mixed" ? "partly lost" : item.state].join(", ");
  const act = item.node ? () => handlers.select(placed) : () => handlers.toggle(item.layer);
  const group = s("g", {
    class: `node role-${role} ${item.state}`,
    transform: `translate(${x - width / 2} ${y - height / 2})`,
    "data-key": item.key,
    ...pressable(item.node ? label : `open layer ${label}`, act),
  });
  if (role === "collapsed" || role === "summary") {
    group.append(s("rect", { class: "behind", x: 4, y: 4, width, height, rx: 6 }));
  }
  group.append(outline(role, width, height));
  if (role === "target") group.append(s("rect", { class: "inner", x: 3, y: 3, width: width - 6, height: height - 6, rx: height / 2 - 3 }));
  if (role === "collapsed") group.append(s("path", { class: "fold-sign", d: `M10 ${height / 2 - 9} l5 4 l-5 4` }));
  const middle = placed.subtitle ? 17 : height / 2 + 4;
  group.append(s("text", { class: "title", x: width / 2, y: middle }, placed.title));
  if (placed.subtitle) group.append(s("text", { class: "subtitle", x: width / 2, y: 32 }, placed.subtitle));
  if (item.cuts) group.append(cross(width, 0));
  return group;
}

/** Sources and targets are round, variables have cut corners, operations are plain. */
function outline(role: string, width: number, height: number): SVGElement {
  if (role === "variable") {
    const cut = 8;
    const d = `M${cut} 0 H${width - cut} L${width} ${cut} V${height - cut} L${width - cut} ${height} H${cut} L0 ${height - cut} V${cut} Z`;
    return s("path", { class: "outline", d });
  }
  const rx = role === "source" || role === "target" ? height / 2 : 6;
  return s("rect", { class: "outline", width, height, rx });
}

function drawLink({ link, points }: PlacedLink): SVGPathElement {
  return s("path", { class: `link ${link.state}${link.cut ? " cut" : ""}`, d: curve(points), "data-head": link.state });
}

function drawCut({ link, mark }: PlacedLink): SVGGElement {
  const group = s("g", { class: "cut-mark", transform: `translate(${mark!.x} ${mark!.y})` });
  group.append(s("title", {}, `cut${link.label ? ": " + link.label : ""}`), cross(0, 0));
  if (link.label) group.append(s("text", { x: 14, y: 4 }, clip(link.label, 24)));
  return group;
}

function cross(x: number, y: number): SVGGElement {
  return s(
    "g",
    { class: "cross", transform: `translate(${x} ${y})` },
    s("circle", { r: 9.5 }),
    s("path", { d: "M-3.6 -3.6 L3.6 3.6 M3.6 -3.6 L-3.6 3.6" }),
  );
}

/** A smooth curve through the middles of the route's segments, straight at both ends. */
function curve(points: { x: number; y: number }[]): string {
  const first = points[0]!;
  const last = points[points.length - 1]!;
  let path = `M${first.x} ${first.y}`;
  for (let index = 1; index < points.length - 1; index++) {
    const corner = points[index]!;
    const next = points[index + 1]!;
    const end = index === points.length - 2 ? next : { x: (corner.x + next.x) / 2, y: (corner.y + next.y) / 2 };
    path += ` Q${corner.x} ${corner.y} ${end.x} ${end.y}`;
  }
  return points.length === 2 ? `${path} L${last.x} ${last.y}` : path;
}
