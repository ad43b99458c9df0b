// The page for the whole model: each layer and variable, whether a gradient reaches it, and its norm per step.
// Rows of a closed layer are not made before it is opened, so a model of many thousand variables opens at once.

import { h, type Child } from "./dom";
import { number, plot } from "./plot";
import { shapeText, type Report, type VariableView } from "./report";

type GradientState = VariableView["gradient"];
const STATES: { state: GradientState; sign: string; word: string; about: string }[] = [
  { state: "none", sign: "✕", word: "None", about: "no gradient reaches it" },
  { state: "zero", sign: "○", word: "zero", about: "its gradient is exactly zero" },
  { state: "flows", sign: "●", word: "flows", about: "a gradient reaches it" },
  { state: "unknown", sign: "?", word: "not seen", about: "no gradient was computed" },
];
const MANY = 60; // more variables than this, and layers in which all is well start closed

export class ModelPage {
  private readonly rows = h("div", { class: "model-rows" });
  private readonly shown = new Set<GradientState>(STATES.map(({ state }) => state));
  private readonly query: HTMLInputElement;

  constructor(root: HTMLElement, private readonly report: Report) {
    this.query = h("input", { type: "search", placeholder: "Find a layer or variable", "aria-label": "Find a layer or variable", input: () => this.list() });
    const count = (state: GradientState) => report.variables.filter((one) => one.gradient === state).length;
    const filters = STATES.filter(({ state }) => count(state)).map(({ state, sign, word, about }) =>
      h(
        "button",
        { type: "button", class: `filter gradient-${state}`, "aria-pressed": "true", title: about, "data-state": state, click: (event: Event) => this.filter(state, event.currentTarget as HTMLElement) },
        h("span", { class: "sign", "aria-hidden": "true" }, sign), ` ${word} `, h("b", {}, String(count(state))),
      ),
    );
    root.replaceChildren(
      h("div", { class: "model-tools" }, h("h2", {}, "Gradients per variable"), h("div", { class: "filters" }, ...filters), this.query),
      h("p", { class: "dim model-key" }, "Norm of the gradient per recorded step, logarithmic. ",
        h("span", { class: "gradient-none" }, "✕"), " None  ", h("span", { class: "gradient-zero" }, "○"), " exactly zero  ",
        h("span", { class: "gradient-wild" }, "▲"), " infinite or NaN"),
      this.rows,
    );
    this.list();
  }

  private filter(state: GradientState, button: HTMLElement): void {
    if (!this.shown.delete(state)) this.shown.add(state);
    button.setAttribute("aria-pressed", String(this.shown.has(state)));
    this.list();
  }

  private list(): void {
    const query = this.query.value.trim().toLowerCase();
    const layers = new Map<string, VariableView[]>();
    for (const variable of this.report.variables) {
      if (!this.shown.has(variable.gradient)) continue;
      if (query && !`${variable.layer}/${variable.name}`.toLowerCase().includes(query)) continue;
      const list = layers.get(variable.layer);
      if (list) list.push(variable);
      else layers.set(variable.layer, [variable]);
    }
    const many = this.report.variables.length > MANY && !query;
    this.rows.replaceChildren(...[...layers].map(([layer, variables]) => this.layer(layer, variables, many)));
    if (!layers.size) this.rows.append(h("p", { class: "dim" }, "No variable fits."));
  }

  private layer(name: string, variables: VariableView[], many: boolean): HTMLElement {
    const tally = STATES.map(({ state, sign, word }) => {
      const count = variables.filter((one) => one.gradient === state).length;
      return count > 0 && h("span", { class: `tally gradient-${state}`, title: word }, `${sign} ${count}`);
    });
    const body = h("div", { class: "variables" });
    const open = !many || variables.some((one) => one.gradient === "none" || one.gradient === "zero");
    const fill = () => body.childElementCount || body.append(...variables.map((one) => this.variable(one)));
    const box = h(
      "details",
      { class: "layer-box", open, toggle: () => box.open && fill() },
      h("summary", {}, h("span", { class: "layer-name" }, name || "(no layer)"), ...tally),
      body,
    );
    if (open) fill();
    return box;
  }

  private variable(one: VariableView): HTMLElement {
    const state = STATES.find(({ state }) => state === one.gradient)!;
    const last = one.norms.length ? number(one.norms[one.norms.length - 1]!) : "";
    const flags: Child[] = [
      flag(one.trainable, "trainable", "frozen", "flag"),
      flag(one.tracked, "tracked", "untracked"),
      flag(one.updated, "updated", "never updated"),
    ];
    const why = one.diagnoses.map((id) => {
      const diagnosis = this.report.diagnoses.find((other) => other.id === id);
      return diagnosis && h("a", { class: "link", href: `#why-${id}` }, diagnosis.code);
    });
    return h(
      "div",
      { class: `variable variable-${one.gradient}` },
      h("span", { class: "variable-name" }, h("code", {}, one.name), h("span", { class: "dim" }, ` ${[one.dtype, shapeText(one.shape)].filter(Boolean).join(" ")}`)),
      h("span", { class: `gradient gradient-${one.gradient}`, title: state.about }, h("span", { class: "sign", "aria-hidden": "true" }, state.sign), ` ${state.word}`),
      plot(one.steps, one.norms),
      h("span", { class: "last", title: "norm at the last recorded step" }, last),
      h("span", { class: "flags" }, ...flags),
      h("span", { class: "why" }, ...why),
    );
  }
}

function flag(value: boolean | null, yes: string, no: string, dress = "flag flag-no"): Child {
  return value === null ? null : h("span", { class: value ? "flag" : dress }, value ? yes : no);
}
