// A small plot of one variable's gradient norm per recorded step, on a logarithmic scale. None, zero and not-a-number
// have no place on such a scale: each has its own mark on its own line.

import { h, s } from "./dom";
import type { Norm } from "./report";

const WIDTH = 220;
const HEIGHT = 40;
const TOP = 6;
const BOTTOM = 28; // of the curve
const FLOOR = 35; // of the marks for None and zero
const MOST = 240; // points that are drawn; more steps than this are thinned out

export function plot(steps: number[], norms: Norm[]): HTMLElement {
  const points = thin(norms.map((norm, index) => ({ step: steps[index] ?? index, norm })));
  if (!points.length) return h("span", { class: "dim" }, "not recorded");
  const finite = points.map((point) => point.norm).filter((norm): norm is number => typeof norm === "number" && norm > 0);
  const low = Math.log10(finite.length ? Math.min(...finite) : 1);
  const high = Math.log10(finite.length ? Math.max(...finite) : 1);
  const x = (index: number) => (points.length === 1 ? WIDTH / 2 : 5 + (index / (points.length - 1)) * (WIDTH - 10));
  const y = (norm: number) => (high - low < 1e-9 ? (TOP + BOTTOM) / 2 : BOTTOM - ((Math.log10(norm) - low) / (high - low)) * (BOTTOM - TOP));

  const svg = s("svg", { class: "plot", width: WIDTH, height: HEIGHT, viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": words(points) });
  let path = "";
  let previous = false;
  points.forEach(({ norm }, index) => {
    const drawn = typeof norm === "number" && norm > 0;
    if (drawn) path += `${previous ? "L" : "M"}${x(index).toFixed(1)} ${y(norm).toFixed(1)}`;
    const next = points[index + 1]?.norm;
    const alone = drawn && !previous && !(typeof next === "number" && next > 0);
    if (alone) svg.append(s("circle", { class: "norm-dot", cx: x(index), cy: y(norm), r: 2 }));
    if (!drawn) svg.append(mark(norm, x(index)));
    previous = drawn;
  });
  svg.prepend(s("path", { class: "norm", d: path }));
  const readout = h("span", { class: "readout" }, range(finite));
  const cursor = s("line", { class: "cursor", y1: 2, y2: HEIGHT - 1, x1: -9, x2: -9 });
  svg.append(cursor);
  svg.addEventListener("pointermove", (event) => {
    const part = (event.clientX - svg.getBoundingClientRect().left) / WIDTH;
    const index = Math.min(points.length - 1, Math.max(0, Math.round(part * (points.length - 1))));
    cursor.setAttribute("x1", String(x(index)));
    cursor.setAttribute("x2", String(x(index)));
    readout.textContent = `step ${points[index]!.step}: ${number(points[index]!.norm)}`;
  });
  svg.addEventListener("pointerleave", () => {
    cursor.setAttribute("x1", "-9");
    cursor.setAttribute("x2", "-9");
    readout.textContent = range(finite);
  });
  return h("span", { class: "plot-cell" }, svg, readout);
}

interface Point {
  step: number;
  norm: Norm;
}

/** Of each bucket, the point that most needs to be seen: None, then what is not finite, then zero, then the largest. */
function thin(points: Point[]): Point[] {
  if (points.length <= MOST) return points;
  const weight = (norm: Norm) => (norm === null ? Infinity : norm === "nan" || norm === "inf" ? 1e300 : norm === 0 ? 1e299 : norm);
  return Array.from({ length: MOST }, (_, index) => {
    const bucket = points.slice(Math.floor((index * points.length) / MOST), Math.floor(((index + 1) * points.length) / MOST));
    return bucket.reduce((best, point) => (weight(point.norm) > weight(best.norm) ? point : best));
  });
}

function mark(norm: Norm, x: number): SVGElement {
  if (norm === null) return s("path", { class: "none-mark", d: `M${x - 2.5} ${FLOOR - 2.5} l5 5 m0 -5 l-5 5` });
  if (norm === 0) return s("circle", { class: "zero-mark", cx: x, cy: FLOOR, r: 2.4 });
  return s("path", { class: "wild-mark", d: `M${x - 3} ${TOP + 1} l3 -5.5 l3 5.5 Z` });
}

export function number(norm: Norm): string {
  if (norm === null) return "None";
  if (typeof norm === "string") return norm === "nan" ? "NaN" : "infinite";
  if (norm === 0) return "0";
  return norm >= 1e-3 && norm < 1e4 ? String(Number(norm.toPrecision(3))) : norm.toExponential(1);
}

function range(finite: number[]): string {
  if (!finite.length) return "";
  const low = number(Math.min(...finite));
  const high = number(Math.max(...finite));
  return low === high ? low : `${low} to ${high}`;
}

function words(points: Point[]): string {
  const count = (test: (norm: Norm) => boolean) => points.filter((point) => test(point.norm)).length;
  const parts = [`${points.length} steps`];
  const none = count((norm) => norm === null);
  const zero = count((norm) => norm === 0);
  const wild = count((norm) => typeof norm === "string");
  if (none) parts.push(`None in ${none}`);
  if (zero) parts.push(`zero in ${zero}`);
  if (wild) parts.push(`not finite in ${wild}`);
  return `gradient norm: ${parts.join(", ")}, last ${number(points[points.length - 1]!.norm)}`;
}
