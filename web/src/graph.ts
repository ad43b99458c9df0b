// What is visible of a lineage while some of its layers are collapsed. Knows nothing of the screen.

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
const LEVEL = 60; // more entries than this in one layer, and neighbours are bundled, as layers that nobody wrote
const BUNDLES = 8; // about so many bundles in one layer

interface Edge {
  start: LineageNode;
  end: LineageNode;
  passes: boolean;
  cut: boolean;
  label: string;
}

export class Lineage {
  readonly nodes = new Map<string, LineageNode>();
  readonly collapsed = new Set<string>();
  private readonly members = new Map<string, LineageNode[]>();
  private readonly paths = new Map<LineageNode, string[]>(); // the layers and bundles around a node, outermost first
  private readonly loud = new Set<LineageNode>(); // the ends, and what stands beside a cut
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
    }
    for (const node of this.nodes.values()) if (node.role === "source" || node.role === "target") this.loud.add(node);
    for (const edge of this.edges) if (edge.cut) this.loud.add(edge.start).add(edge.end);
    this.divide([...this.nodes.values()], 0, []);
    for (const [node, paths] of this.paths) {
      for (const path of paths) {
        const members = this.members.get(path);
        if (members) members.push(node);
        else this.members.set(path, [node]);
      }
    }
    this.reached = this.reach();
    this.collapseQuiet();
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
    for (const edge of this.edges) {
      if (!edge.passes) continue;
      const list = before.get(edge.end);
      if (list) list.push(edge.start);
      else before.set(edge.end, [edge.start]);
    }
    const reached = new Set(targets.filter((node) => node.connected));
    for (const node of reached) for (const start of before.get(node) ?? []) reached.add(start);
    return reached;
  }

  private stateOf(nodes: LineageNode[]): State {
    const connected = nodes.filter((node) => this.reached.has(node)).length;
    return connected === nodes.length ? "connected" : connected === 0 ? "lost" : "mixed";
  }

  private collapseQuiet(): void {
    if (this.nodes.size <= MANY) return;
    for (const [path, nodes] of this.members) {
      if (nodes.length > 1 && !nodes.some((node) => this.loud.has(node))) this.collapsed.add(path);
    }
    // Where that is not enough, what is loud in large layers is closed too; a cut inside shows on the closed layer.
    const depths = new Map(this.layerPaths.map((path) => [path, path.split("/").length]));
    for (let depth = Math.max(0, ...depths.values()); depth > 0 && this.visible().items.length > 2 * MANY; depth--) {
      for (const [path, own] of depths) if (own === depth) this.collapsed.add(path);
    }
  }

  /** Finds the paths of these nodes, which have the same layers down to `depth`, and stand in `around`. */
  private divide(nodes: LineageNode[], depth: number, around: string[]): void {
    const entries = new Map<string, LineageNode[]>();
    for (const node of nodes) {
      const parts = node.layer ? node.layer.split("/") : [];
      const key = depth < parts.length ? "layer:" + parts[depth] : "node:" + node.id;
      const members = entries.get(key);
      if (members) members.push(node);
      else entries.set(key, [node]);
    }
    this.bundle([...entries], depth, around);
  }

  /** Gives entries of one level their paths; too many are bundled in order, and bundles of bundles where it takes that. */
  private bundle(entries: [string, LineageNode[]][], depth: number, around: string[]): void {
    const outer = around.length ? around[around.length - 1] + "/" : "";
    if (entries.length <= LEVEL) {
      for (const [key, members] of entries) {
        if (key.startsWith("layer:")) this.divide(members, depth + 1, [...around, outer + key.slice(6)]);
        else for (const node of members) this.paths.set(node, around);
      }
      return;
    }
    const alone = ([key, members]: [string, LineageNode[]]) => key.startsWith("node:") && this.loud.has(members[0]!);
    const quiet = entries.filter((entry) => !alone(entry));
    this.bundle(entries.filter(alone).slice(0, LEVEL), depth, around);
    const size = Math.max(Math.ceil(quiet.length / BUNDLES), 20);
    for (let first = 0; first < quiet.length; first += size) {
      const part = quiet.slice(first, first + size);
      const [from, to] = [part[0]![0], part[part.length - 1]![0]];
      const layers = from.startsWith("layer:") && to.startsWith("layer:");
      const name = layers ? `${from.slice(6)} … ${to.slice(6)}` : `no. ${first + 1} … ${first + part.length}`;
      this.bundle(part, depth, [...around, outer + name]);
    }
    for (const [, [node]] of entries.filter(alone).slice(LEVEL)) this.paths.set(node!, around);
  }
}
