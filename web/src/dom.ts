// Makes elements. Text only ever enters as text nodes and attributes, never as markup.

export type Attributes = Record<string, string | number | boolean | null | undefined | ((event: any) => void)>;
export type Child = Node | string | null | undefined | false;

function fill(element: Element, attributes: Attributes, children: Child[]): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name, value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children) if (child) element.append(visible(child));
}

// Control characters and bidirectional overrides could make a name read as something else: spell them out.
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

function visible(child: Node | string): Node | string {
  if (typeof child !== "string") return child;
  return child.replace(UNSAFE, (found) => "\\u" + found.charCodeAt(0).toString(16).padStart(4, "0"));
}

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K, attributes: Attributes = {}, ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  fill(element, attributes, children);
  return element;
}

export function s<K extends keyof SVGElementTagNameMap>(
  tag: K, attributes: Attributes = {}, ...children: Child[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  fill(element, attributes, children);
  return element;
}

export function clip(text: string, length: number): string {
  return text.length <= length ? text : text.slice(0, length - 1) + "…";
}
