// Places what is visible of a lineage: sources above, the target below, layers as boxes around their operations.
//
// dagre lays out one level at a time: first the inside of each open layer, then the level around it with that layer as
// one large node. (Its own compound mode ranks all levels together, which pulls layers far apart.) A value that crosses
// a layer's border does so at a port, which takes part in both layouts, so that its route avoids the operations inside.

import { graphlib, layout } from "@dagrejs/dagre";
import { clip } from "./dom";
import type { Item, Link, State, Visible } from "./graph";
import { shapeText } from "./report";

export interface Point {
  x: number;
  y: number;
}

export interface Box extends Point {
  // x and y are the centre
  width: number;
  height: number;
}

export interface PlacedItem extends Box {
  item: Item;
  title: string;
  subtitle: string;
}

export interface PlacedLayer extends Box {
  path: string;
  title: string;
  state: State;
}

export interface PlacedLink {
  link: Link;
  points: Point[];
  mark: Point | null; // where a cut is marked
}

export interface Placed {
  width: number;
  height: number;
  items: PlacedItem[];
  layers: PlacedLayer[];
  links: PlacedLink[];
}

export const LAYER_HEAD = 22;
const TITLE = 7.6; // width of a character, a little more than it is: no glyph may touch the border
const SUBTITLE = 6.3;
const PADDING = 14;

/** One laid out level: the top, or the inside of an open layer. Coordinates count from its upper left corner. */
interface Level {
  width: number;
  height: number;
  boxes: Map<string, Box>; // of items and open layers, by key
  routes: Map<string, { points: Point[]; label: Point | null }>; // by `name`
  ports: Map<string, Point>;
}

/** A link as the levels see it: the way out of the layers around its start, across, and into those around its end. */
interface Way {
  link: Link;
  out: Step[];
  across: Step & { level: string };
  into: Step[];
}

interface Step {
  level: string;
  start: string;
  end: string;
  name: string;
}

const TOP = "";
const box = (path: string) => "box:" + path;

export function place(visible: Visible): Placed {
  const parents = new Map<string, string>(); // key of an item or layer -> path of the layer around it
  for (const item of visible.items) parents.set(item.key, item.parent ?? TOP);
  for (const layer of visible.layers) parents.set(box(layer.path), layer.parent ?? TOP);
  const ways = visible.links.map((link) => wayOf(link, parents));

  const texts = new Map(visible.items.map((item) => [item.key, words(item)]));
  const levels = new Map<string, Level>();
  const titles = new Map(visible.layers.map((layer) => [layer.path, clip(layer.path.slice(layer.parent === null ? 0 : layer.parent.length + 1), 30)]));
  for (const path of [...visible.layers.map((layer) => layer.path).reverse(), TOP]) {
    const sizes = new Map<string, { width: number; height: number }>();
    for (const item of visible.items) {
      if (parents.get(item.key) === path) sizes.set(item.key, sizeOf(texts.get(item.key)!, item.node === null));
    }
    for (const layer of visible.layers) {
      if (parents.get(box(layer.path)) === path) sizes.set(box(layer.path), levels.get(layer.path)!);
    }
    levels.set(path, layoutLevel(path, sizes, ways, titles.get(path)?.length ?? 0));
  }

  const corners = new Map<string, Point>([[TOP, { x: 0, y: 0 }]]);
  const absolute = (path: string, key: string): Box => {
    const inside = levels.get(path)!.boxes.get(key)!;
    const corner = corners.get(path)!;
    return { ...inside, x: inside.x + corner.x, y: inside.y + corner.y };
  };
  const layers = visible.layers.map((layer) => {
    const placed = absolute(layer.parent ?? TOP, box(layer.path));
    corners.set(layer.path, { x: placed.x - placed.width / 2, y: placed.y - placed.height / 2 });
    return { path: layer.path, title: titles.get(layer.path)!, state: layer.state, ...placed };
  });
  const items = visible.items.map((item) => ({ item, ...texts.get(item.key)!, ...absolute(item.parent ?? TOP, item.key) }));
  const links = ways.map((way) => route(way, levels, corners));
  const { width, height } = levels.get(TOP)!;
  return { width, height, items, layers, links };
}

function wayOf(link: Link, parents: Map<string, string>): Way {
  const chain = (key: string) => {
    const steps: { level: string; key: string }[] = [];
    for (let at = key; ; ) {
      const level = parents.get(at)!;
      steps.push({ level, key: at });
      if (level === TOP) return steps;
      at = box(level);
    }
  };
  const starts = chain(link.start);
  const ends = chain(link.end);
  const shared = starts.findIndex((start) => ends.some((end) => end.level === start.level));
  const from = starts[shared]!;
  const other = ends.findIndex((end) => end.level === from.level);
  const name = link.start; // links of one value share their ports and routes
  return {
    link,
    out: starts.slice(0, shared).map(({ level, key }) => ({ level, start: key, end: "out:" + name, name })),
    across: { level: from.level, start: from.key, end: ends[other]!.key, name: name + (link.cut ? "\ncut" : "") },
    into: ends.slice(0, other).reverse().map(({ level, key }) => ({ level, start: "in:" + name, end: key, name })),
  };
}

function layoutLevel(path: string, sizes: Map<string, { width: number; height: number }>, ways: Way[], title: number): Level {
  const graph = new graphlib.Graph({ multigraph: true });
  graph.setGraph({ rankdir: "TB", nodesep: 22, ranksep: 28, edgesep: 16 });
  for (const [key, { width, height }] of sizes) graph.setNode(key, { width, height });
  const ports = new Set<string>();
  const port = (key: string) => {
    if (!key.startsWith("in:") && !key.startsWith("out:")) return;
    ports.add(key);
    graph.setNode(key, { width: 12, height: 1 });
  };
  for (const { link, out, across, into } of ways) {
    for (const step of [...out, across, ...into]) {
      if (step.level !== path) continue;
      port(step.start);
      port(step.end);
      const room = step === across && link.cut ? { width: 34 + 9 * link.label.length, height: 26, labelpos: "c" } : {};
      graph.setEdge(step.start, step.end, { ...room, weight: 2 }, step.name);
    }
  }
  holdPorts(graph, ports, [...sizes.keys()]);
  layout(graph);

  const placed = [...sizes.keys()].map((key) => [key, graph.node(key) as unknown as Box] as const);
  const edges = graph.edges().filter((edge) => !edge.v.startsWith("hold:") && !edge.w.startsWith("hold:"));
  const points = edges.flatMap((edge) => (graph.edge(edge) as unknown as { points: Point[] }).points);
  const xs = [...placed.flatMap(([, one]) => [one.x - one.width / 2, one.x + one.width / 2]), ...points.map((one) => one.x)];
  const left = Math.min(...xs) - PADDING;
  const head = path === TOP ? PADDING : LAYER_HEAD + 8;
  const top = Math.min(...placed.map(([, one]) => one.y - one.height / 2)) - head;
  const width = Math.max(Math.max(...xs) + PADDING - left, title * 7 + 48);
  const height = Math.max(...placed.map(([, one]) => one.y + one.height / 2)) + PADDING - top;
  const spare = (width - (Math.max(...xs) + PADDING - left)) / 2;
  const move = ({ x, y }: Point): Point => ({ x: x - left + spare, y: y - top });
  const within = (point: Point): Point => ({ x: point.x, y: Math.min(Math.max(point.y, 0), height) });

  const level: Level = { width, height, boxes: new Map(), routes: new Map(), ports: new Map() };
  for (const [key, { width, height, ...centre }] of placed) level.boxes.set(key, { ...move(centre), width, height });
  for (const key of ports) {
    const { x } = move(graph.node(key) as unknown as Box);
    level.ports.set(key, { x, y: key.startsWith("in:") ? 0 : height });
  }
  for (const edge of edges) {
    const { points, x, y } = graph.edge(edge) as unknown as { points: Point[]; x?: number; y?: number };
    const label = x === undefined || y === undefined ? null : move({ x, y });
    level.routes.set(routeKey(edge.v, edge.w, edge.name!), { points: points.map((point) => within(move(point))), label });
  }
  return level;
}

/** Keeps the ports for values that come in above everything else, and those for values that go out below. */
function holdPorts(graph: graphlib.Graph, ports: Set<string>, keys: string[]): void {
  if (!ports.size) return;
  for (const [side, name] of [["in:", "hold:in"], ["out:", "hold:out"]] as const) {
    const held = [...ports].filter((key) => key.startsWith(side));
    if (!held.length) continue;
    graph.setNode(name, { width: 1, height: 1 });
    const hold = (key: string, minlen: number, weight: number) => {
      if (side === "in:") graph.setEdge(name, key, { minlen, weight }, "hold");
      else graph.setEdge(key, name, { minlen, weight }, "hold");
    };
    for (const key of held) hold(key, 1, 8);
    for (const key of keys) {
      const free = side === "in:" ? (graph.predecessors(key) ?? []) : (graph.successors(key) ?? []);
      if (free.every((other) => String(other).startsWith("hold:"))) hold(key, 2, 0);
    }
  }
}

const routeKey = (start: string, end: string, name: string) => `${start}\n${end}\n${name}`;

/** Joins the parts of a link's route through all levels. Where two parts meet, a port stands for both of their ends. */
function route(way: Way, levels: Map<string, Level>, corners: Map<string, Point>): PlacedLink {
  const points: Point[] = [];
  const on = (level: string, point: Point): Point => {
    const corner = corners.get(level)!;
    return { x: point.x + corner.x, y: point.y + corner.y };
  };
  const partOf = (step: Step) => levels.get(step.level)!.routes.get(routeKey(step.start, step.end, step.name))!;
  const steps = [...way.out, way.across, ...way.into];
  steps.forEach((step, index) => {
    const part = partOf(step);
    if (index === 0) points.push(on(step.level, part.points[0]!));
    points.push(...part.points.slice(1, -1).map((point) => on(step.level, point)));
    if (index < way.out.length) points.push(on(step.level, levels.get(step.level)!.ports.get(step.end)!));
    const next = steps[index + 1];
    if (next && index >= way.out.length) points.push(on(next.level, levels.get(next.level)!.ports.get(next.start)!));
    if (!next) points.push(on(step.level, part.points[part.points.length - 1]!));
  });
  const { label, points: middle } = partOf(way.across);
  const mark = way.link.cut ? on(way.across.level, label ?? middle[Math.floor(middle.length / 2)]!) : null;
  return { link: way.link, points, mark };
}

function sizeOf(text: { title: string; subtitle: string }, sign: boolean): { width: number; height: number } {
  const width = Math.max(text.title.length * TITLE, text.subtitle.length * SUBTITLE) + (sign ? 46 : 26);
  return { width: Math.max(64, width), height: text.subtitle ? 40 : 28 };
}

function words(item: Item): { title: string; subtitle: string } {
  const node = item.node;
  if (!node) {
    const cuts = item.cuts ? `, ${item.cuts} cut${item.cuts > 1 ? "s" : ""}` : "";
    const name = item.layer.slice(item.parent === null ? 0 : item.parent.length + 1);
    return { title: clip(name, 34), subtitle: `${item.size.toLocaleString("en")} operations${cuts}` };
  }
  const shape = shapeText(node.shape);
  const type = [node.dtype, shape].filter(Boolean).join(" ");
  if (node.role !== "op" && node.name) return { title: clip(node.name, 30), subtitle: clip(type || node.op, 36) };
  if (node.stands_for > 1) {
    const whole = node.layer !== "" && node.layer !== item.parent; // a layer that was folded before the page was made
    const title = whole ? node.layer.slice(node.layer.lastIndexOf("/") + 1) : node.op;
    return { title: clip(title, 34), subtitle: `${node.stands_for.toLocaleString("en")} operations` };
  }
  return { title: clip(node.op, 34), subtitle: clip([node.name, shape || node.dtype].filter(Boolean).join(" · "), 36) };
}
