// The parts of a report (schema tensorwhy.report/1) that the page draws. The rest is HTML already.

export interface Place {
  file: string;
  line: number;
  column: number | null;
}

export interface LineageNode {
  id: string;
  op: string;
  name: string;
  role: "source" | "target" | "variable" | "constant" | "op";
  dtype: string;
  shape: (number | null)[] | null;
  layer: string;
  location: Place | null;
  connected: boolean;
  stands_for: number;
}

export interface LineageEdge {
  start: string;
  end: string;
  connected: boolean;
  label: string;
}

export interface LineageView {
  nodes: LineageNode[];
  edges: LineageEdge[];
  omitted: number;
}

export type Norm = number | "nan" | "inf" | null;

export interface VariableView {
  name: string;
  layer: string;
  dtype: string;
  shape: (number | null)[] | null;
  trainable: boolean | null;
  tracked: boolean | null;
  updated: boolean | null;
  gradient: "flows" | "zero" | "none" | "unknown";
  steps: number[];
  norms: Norm[];
  diagnoses: string[];
}

export interface Diagnosis {
  id: string;
  code: string;
  family: string;
  lineage: LineageView | null;
}

export interface Report {
  diagnoses: Diagnosis[];
  variables: VariableView[];
  excerpts: Record<string, Record<string, string>>;
}

const data = document.getElementById("report") as HTMLScriptElement;

export function load(): Report {
  return JSON.parse(data.textContent!) as Report;
}

export function shapeText(shape: (number | null)[] | null): string {
  if (shape === null) return "";
  const sizes = shape.map((size) => (size === null ? "None" : String(size)));
  return sizes.length === 1 ? `(${sizes[0]},)` : `(${sizes.join(", ")})`;
}

/** `file:line`, the file relative to the folder that the report was written for. */
export function placeText(place: Place): string {
  const base = data.dataset.base ?? "";
  const folder = base.endsWith("/") ? base : base + "/";
  const file = base && place.file.startsWith(folder) ? place.file.slice(folder.length) : place.file;
  return `${file}:${place.line}`;
}
