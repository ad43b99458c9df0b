// Brings the page to life: lineages are drawn when they come into view, the model page when it is opened.

import "./style.css";
import { ModelPage } from "./model";
import { Panel } from "./panel";
import { load } from "./report";

const report = load();
const diagnoses = new Map(report.diagnoses.map((diagnosis) => [diagnosis.id, diagnosis]));

let pictures = 0;
const observer = new IntersectionObserver(
  (entries) => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      observer.unobserve(entry.target);
      const root = entry.target as HTMLElement;
      const diagnosis = diagnoses.get(root.dataset.diagnosis!);
      if (diagnosis?.lineage) new Panel(root, diagnosis, report, pictures++);
    }
  },
  { rootMargin: "400px" },
);
document.querySelectorAll(".lineage").forEach((panel) => observer.observe(panel));
// In a narrow window the list stands for the picture.
if (matchMedia("(max-width: 620px)").matches) document.querySelectorAll<HTMLDetailsElement>(".as-text").forEach((list) => (list.open = true));

const tabs = [...document.querySelectorAll<HTMLButtonElement>(".tab")];
const views = [...document.querySelectorAll<HTMLElement>(".view")];
let model: ModelPage | null = null;

function show(name: string): void {
  for (const tab of tabs) {
    const chosen = tab.dataset.view === name;
    tab.setAttribute("aria-selected", String(chosen));
    tab.tabIndex = chosen ? 0 : -1;
  }
  for (const view of views) view.hidden = view.id !== name;
  if (name === "model") model ??= new ModelPage(document.getElementById("model")!, report);
}

for (const [index, tab] of tabs.entries()) {
  tab.addEventListener("click", () => show(tab.dataset.view!));
  tab.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    const other = tabs[(index + 1) % tabs.length]!;
    show(other.dataset.view!);
    other.focus();
  });
}

// A link to a diagnosis from the model page leads to a part that is hidden there.
document.addEventListener("click", (event) => {
  const link = (event.target as Element).closest?.<HTMLAnchorElement>('a[href^="#"]');
  if (!link) return;
  show("diagnoses");
  const folded = document.getElementById(link.getAttribute("href")!.slice(1))?.closest("details");
  if (folded) folded.open = true;
});
// Where nothing was found, the variables are what is left to see.
if (tabs.length) show(document.querySelector("#diagnoses > .healthy") ? "model" : "diagnoses");
