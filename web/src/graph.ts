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
  private readonly edges: Edge[] = [];
  private readonly reached: Set<LineageNode>;

  constructor(view: LineageView) {
    for (const node of view.nodes) this.nodes.set(node.id, node);
    for (const node of this.nodes.values()) {
      for (const path of prefixes(node.layer)) {
        const members = this.members.get(path);
        if (members) members.push(node);
        else this.members.set(path, [node]);
      }
    }
    for (const edge of view.edges) {
      const start = this.nodes.get(edge.start);
      const end = this.nodes.get(edge.end);
      if (!start || !end) continue;
      const passes = edge.connected && start.connected && end.connected;
      // A region lets nothing through: the cut is where it borders, on the target's side, on what would let it through.
      this.edges.push({ start, end, passes, cut: !passes && end.connected, label: edge.label });
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

  /** Opens all layers around a node. */
  reveal(node: LineageNode): boolean {
    return prefixes(node.layer).map((path) => this.collapsed.delete(path)).includes(true);
  }

  visible(): Visible {
    const key = new Map<LineageNode, string>();
    const items = new Map<string, Item>();
    const open = new Set<string>();
    for (const node of this.nodes.values()) {
      const paths = prefixes(node.layer).filter((path) => this.members.get(path)!.length > 1);
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
      const parents = prefixes(path).slice(0, -1).filter((one) => open.has(one));
      return { path, parent: parents[parents.length - 1] ?? null, state: this.stateOf(this.members.get(path)!) };
    });
    return { items: [...items.values()], links: [...links.values()], layers };
  }

  /** Whether what starts at the target gets to this node. */
  connected(node: LineageNode): boolean {
    return this.reached.has(node);
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
    const loud = new Set<LineageNode>();
    for (const node of this.nodes.values()) if (node.role === "source" || node.role === "target") loud.add(node);
    for (const edge of this.edges) if (edge.cut) loud.add(edge.start).add(edge.end);
    for (const [path, nodes] of this.members) {
      if (nodes.length > 1 && !nodes.some((node) => loud.has(node))) this.collapsed.add(path);
    }
    // Where that is not enough, what is loud in large layers is closed too; a cut inside shows on the closed layer.
    const deepest = this.layerPaths.sort((a, b) => b.split("/").length - a.split("/").length);
    for (const path of deepest) {
      if (this.visible().items.length <= 4 * MANY) break;
      this.collapsed.add(path);
    }
  }
}

/** "a/b/c" -> ["a", "a/b", "a/b/c"] */
function prefixes(layer: string): string[] {
  const parts = layer ? layer.split("/") : [];
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}
