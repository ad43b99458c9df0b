// What is visible of a lineage while some of its layers are collapsed. Knows nothing of the screen.

import { boundaries, cyclic, postorder, reachable } from "./order";
import type { LineageNode, LineageView } from "./report";

export type State = "connected" | "lost" | "mixed";

export interface Item {
  key: string;
  state: State;
  parent: string | null; // the innermost open layer around it
  node: LineageNode | null; // null for a collapsed layer
  layer: string;
  size: number; // operations that it stands for
  cuts: number; // cuts inside a collapsed layer
}

export interface Link {
  start: string;
  end: string;
  state: "connected" | "lost";
  cut: boolean;
  label: string;
}

export interface Visible {
  items: Item[];
  links: Link[];
  layers: { path: string; parent: string | null; state: State }[]; // the open ones, outermost first
}

const MANY = 45; // more visible nodes than this, and layers in which nothing happens start collapsed
const LEVEL = 24; // more entries than this in one layer, and neighbours are bundled, as layers that nobody wrote
const BUNDLES = 8; // about so many bundles in one layer
const FEW = 4; // fewer entries than this are not worth a bundle
const LOUD = 12; // more than so many ends and cuts are not kept in view
const SOURCES = 3; // of more sources than this, only the first is kept in view

interface Edge {
  start: LineageNode;
  end: LineageNode;
  passes: boolean;
  cut: boolean;
  label: string;
}

function append<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

export class Lineage {
  readonly nodes = new Map<string, LineageNode>();
  readonly collapsed = new Set<string>();
  private readonly members = new Map<string, LineageNode[]>();
  private readonly paths = new Map<LineageNode, string[]>(); // the layers and bundles around a node, outermost first
  private readonly ends: LineageNode[]; // the target, and a few sources
  private readonly loud: Set<LineageNode>; // the ends, and what stands beside a cut
  private readonly inputs = new Map<LineageNode, LineageNode[]>();
  private readonly outputs = new Map<LineageNode, LineageNode[]>();
  private readonly bundled = new Set<string>();
  private readonly edges: Edge[] = [];
  private readonly reached: Set<LineageNode>;

  constructor(view: LineageView) {
    for (const node of view.nodes) this.nodes.set(node.id, node);
    for (const edge of view.edges) {
      const start = this.nodes.get(edge.start);
      const end = this.nodes.get(edge.end);
      if (!start || !end) continue;
      const passes = edge.connected && start.connected && end.connected;
      // A region lets nothing through: the cut is where it borders, on the target's side, on what would let it through.
      this.edges.push({ start, end, passes, cut: !passes && end.connected, label: edge.label });
      append(this.inputs, end, start);
      append(this.outputs, start, end);
    }
    this.reached = this.reach();
    this.keepBreaks();
    const having = (role: string) => [...this.nodes.values()].filter((node) => node.role === role);
    const cuts = this.edges.filter((edge) => edge.cut).flatMap((edge) => [edge.start, edge.end]);
    const sources = having("source");
    this.ends = [...having("target"), ...sources.slice(0, sources.length > SOURCES ? 1 : SOURCES)];
    this.loud = new Set([...this.ends, ...cuts].slice(0, LOUD));
    this.divide([...this.nodes.values()], 0, []);
    for (const [node, paths] of this.paths) {
      for (const path of paths) append(this.members, path, node);
    }
    this.collapseQuiet();
  }

  private get large(): boolean {
    return this.nodes.size > MANY;
  }

  get cuts(): number {
    return this.edges.filter((edge) => edge.cut).length;
  }

  /** The layers a reader can open and close: those with more than one node. */
  get layerPaths(): string[] {
    return [...this.members].filter(([, nodes]) => nodes.length > 1).map(([path]) => path);
  }

  /** The layers and bundles around a node, outermost first. */
  around(node: LineageNode): string[] {
    return this.paths.get(node)!;
  }

  /** Opens all layers around a node. */
  reveal(node: LineageNode): boolean {
    return this.around(node).map((path) => this.collapsed.delete(path)).includes(true);
  }

  visible(): Visible {
    const key = new Map<LineageNode, string>();
    const items = new Map<string, Item>();
    const open = new Set<string>();
    for (const node of this.nodes.values()) {
      const paths = this.around(node).filter((path) => this.members.get(path)!.length > 1);
      const closed = paths.findIndex((path) => this.collapsed.has(path));
      const around = closed < 0 ? paths : paths.slice(0, closed);
      around.forEach((path) => open.add(path));
      const parent = around[around.length - 1] ?? null;
      const id = closed < 0 ? "node:" + node.id : "layer:" + paths[closed];
      key.set(node, id);
      if (items.has(id)) continue;
      if (closed < 0) {
        items.set(id, { key: id, state: this.stateOf([node]), parent, node, layer: node.layer, size: node.stands_for, cuts: 0 });
      } else {
        const layer = paths[closed]!;
        const nodes = this.members.get(layer)!;
        const size = nodes.reduce((sum, member) => sum + member.stands_for, 0);
        items.set(id, { key: id, state: this.stateOf(nodes), parent, node: null, layer, size, cuts: 0 });
      }
    }
    const links = new Map<string, Link>();
    for (const edge of this.edges) {
      const start = key.get(edge.start)!;
      const end = key.get(edge.end)!;
      if (start === end) {
        if (edge.cut) items.get(start)!.cuts += 1;
        continue;
      }
      const link = links.get(start + "\n" + end);
      const state = edge.passes && this.reached.has(edge.end) ? "connected" : "lost";
      if (!link) links.set(start + "\n" + end, { start, end, state, cut: edge.cut, label: edge.label });
      else {
        if (state === "connected") link.state = state;
        link.cut ||= edge.cut;
        link.label ||= edge.label;
      }
    }
    const layers = [...open].sort((a, b) => a.split("/").length - b.split("/").length).map((path) => {
      const nodes = this.members.get(path)!;
      const paths = this.around(nodes[0]!);
      const parents = paths.slice(0, paths.indexOf(path)).filter((one) => open.has(one));
      return { path, parent: parents[parents.length - 1] ?? null, state: this.stateOf(nodes) };
    });
    return { items: [...items.values()], links: [...links.values()], layers };
  }

  /** Whether what starts at the target gets to this node. */
  connected(node: LineageNode): boolean {
    return this.reached.has(node);
  }

  /** A cut that the gradient meets at this node on its way back, and one beyond which this node lies. */
  cutsAt(node: LineageNode): [Edge | undefined, Edge | undefined] {
    const cuts = this.edges.filter((edge) => edge.cut && this.reached.has(edge.end) && !this.reached.has(edge.start));
    return [cuts.find((edge) => edge.end === node), cuts.find((edge) => edge.start === node)];
  }

  /** From the target back along everything that passes. Without a target, each node speaks for itself. */
  private reach(): Set<LineageNode> {
    const targets = [...this.nodes.values()].filter((node) => node.role === "target");
    if (!targets.length) return new Set([...this.nodes.values()].filter((node) => node.connected));
    const before = new Map<LineageNode, LineageNode[]>();
    for (const edge of this.edges) if (edge.passes) append(before, edge.end, edge.start);
    return reachable(targets.filter((node) => node.connected), (node) => before.get(node) ?? []);
  }

  /** Where a source or variable is lost, leaves out the cuts that cost it nothing, as inside a norm, unless the diagnosis names them. */
  private keepBreaks(): void {
    const lost = [...this.nodes.values()].filter((node) => (node.role === "source" || node.role === "variable") && !this.reached.has(node));
    const from = reachable(lost, (node) => (this.outputs.get(node) ?? []).filter((next) => !this.reached.has(next)));
    const breaks = new Set(this.edges.filter((edge) => edge.cut && from.has(edge.start) && this.reached.has(edge.end)));
    if (breaks.size) for (const edge of this.edges) edge.cut &&= breaks.has(edge) || edge.label !== "";
  }

  private stateOf(nodes: LineageNode[]): State {
    const connected = nodes.filter((node) => this.reached.has(node)).length;
    return connected === nodes.length ? "connected" : connected === 0 ? "lost" : "mixed";
  }

  private collapseQuiet(): void {
    if (!this.large) return;
    // A cut between two closed layers is in view: only a layer that holds both of its sides hides it.
    const open = new Set(this.ends.filter((node) => this.loud.has(node)).flatMap((node) => this.around(node)));
    for (const { start, end, cut } of this.edges) {
      if (!cut || !this.loud.has(start) || !this.loud.has(end)) continue;
      for (const path of this.around(start)) if (this.around(end).includes(path)) open.add(path);
    }
    for (const path of this.layerPaths) if (!open.has(path)) this.collapsed.add(path);
    // Where that is not enough, what is loud in large layers is closed too; a cut inside shows on the closed layer.
    const depths = new Map(this.layerPaths.map((path) => [path, path.split("/").length]));
    for (let depth = Math.max(0, ...depths.values()); depth > 0 && this.visible().items.length > 2 * MANY; depth--) {
      for (const [path, own] of depths) if (own === depth) this.collapsed.add(path);
    }
  }

  /** Finds the paths of these nodes, which have the same layers down to `depth`, and stand in `around`. */
  private divide(nodes: LineageNode[], depth: number, around: string[]): void {
    this.bundle(this.entries(nodes, depth), around);
  }

  /**
   * The layers and single nodes of one level, each after its inputs. In a large lineage, a layer that a value leaves and
   * comes back to is taken apart: as one box it would have arrows in both directions, and nothing would be above it.
   */
  private entries(nodes: LineageNode[], depth: number): Entry[] {
    const parts = new Map(nodes.map((node) => [node, node.layer ? node.layer.split("/") : []]));
    const ends = new Map(nodes.map((node) => [node, depth + 1]));
    for (;;) {
      const entries = new Map<string, Entry>();
      const entryOf = new Map<LineageNode, Entry>();
      for (const node of nodes) {
        const end = ends.get(node)!;
        const layer = depth < parts.get(node)!.length && end <= parts.get(node)!.length ? parts.get(node)!.slice(depth, end).join("/") : null;
        const key = layer === null ? "node:" + node.id : "layer:" + layer;
        const entry = entries.get(key) ?? { layer, depth: end, members: [], name: layer ?? parts.get(node)!.slice(depth).join("/") };
        entry.members.push(node);
        entries.set(key, entry);
        entryOf.set(node, entry);
      }
      if (!this.large) return [...entries.values()];
      const beside = (links: Map<LineageNode, LineageNode[]>) => (entry: Entry) =>
        new Set(entry.members.flatMap((node) => links.get(node) ?? []).map((node) => entryOf.get(node)).filter((other): other is Entry => other !== undefined && other !== entry));
      const targets = nodes.filter((node) => node.role === "target").map((node) => entryOf.get(node)!);
      const order = postorder([...targets, ...entries.values()], beside(this.inputs));
      const apart = [...cyclic(order, beside(this.outputs))].filter((entry) => entry.layer !== null);
      if (!apart.length) return order;
      for (const entry of apart) for (const node of entry.members) ends.set(node, ends.get(node)! + 1);
    }
  }

  /** Gives entries of one level their paths; too many are bundled in order, and bundles of bundles where it takes that. */
  private bundle(entries: Entry[], around: string[]): void {
    const outer = around.length ? around[around.length - 1] + "/" : "";
    const put = ({ layer, depth, members }: Entry) => {
      if (layer !== null) this.divide(members, depth, [...around, outer + layer]);
      else for (const node of members) this.paths.set(node, around);
    };
    if (!this.large || entries.length <= LEVEL) return entries.forEach(put);
    const size = Math.max(Math.ceil(entries.length / BUNDLES), FEW);
    let run: Entry[] = [];
    const close = () => {
      for (const part of this.pieces(run, size)) {
        if (part.length < FEW) part.forEach(put);
        else this.bundle(part, [...around, this.unused(outer + nameOf(part))]);
      }
      run = [];
    };
    for (const entry of entries) {
      if (entry.members.some((node) => this.loud.has(node))) {
        close();
        put(entry);
      } else run.push(entry);
    }
    close();
  }

  private pieces(entries: Entry[], size: number): Entry[][] {
    const place = new Map(entries.flatMap((entry, index) => entry.members.map((node) => [node, index] as const)));
    const links: [number, number][] = [];
    for (const [node, start] of place) {
      for (const output of this.outputs.get(node) ?? []) links.push([start, place.get(output) ?? start]);
    }
    const cuts = [0, ...boundaries(entries.length, size, links), entries.length];
    return cuts.slice(1).map((end, index) => entries.slice(cuts[index], end));
  }

  private unused(path: string): string {
    let name = path;
    for (let number = 2; this.bundled.has(name); number++) name = `${path} (${number})`;
    this.bundled.add(name);
    return name;
  }
}

/** What stands on one level: a layer, of which `depth` parts of the path are spelled out by then, or a single node. */
interface Entry {
  name: string; // the layer, also that of a single node, as it is called on this level
  layer: string | null;
  depth: number;
  members: LineageNode[];
}

/** The first and the last layer of a bundle, without the parts of their paths that they share; without layers, operations. */
function nameOf(part: Entry[]): string {
  const layers = [...new Set(part.map((entry) => entry.name).filter(Boolean))]; // the last is the last that is new
  if (!layers.length) return `${part[0]!.members[0]!.op} … ${part[part.length - 1]!.members[0]!.op}`;
  const [first, last] = [layers[0]!.split("/"), layers[layers.length - 1]!.split("/")];
  let shared = 0;
  while (shared < Math.min(first.length, last.length) - 1 && first[shared] === last[shared]) shared++;
  const around = shared ? first[shared - 1] + "/" : "";
  return first[shared] === last[shared] ? `${around}${first[shared]} …` : `${around}${first[shared]} … ${last[shared]}`;
}
