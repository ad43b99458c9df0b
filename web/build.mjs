// Bundles src/ into the Python package: page.js, page.css, the licences of what is bundled, and a digest of the
// sources, by which a test tells that the committed bundle is current without having Node.
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const out = join(here, "../src/tensorwhy/rendering/html/bundle");

const result = await build({
  absWorkingDir: here,
  entryPoints: { page: "src/main.ts" },
  outdir: out,
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2021",
  charset: "ascii",
  legalComments: "none",
  metafile: true,
});

const packages = new Set();
for (const input of Object.keys(result.metafile.inputs)) {
  const found = input.match(/^node_modules\/((?:@[^/]+\/)?[^/]+)\//);
  if (found) packages.add(found[1]);
}
// dagre ships its graph library inside its own file.
const notices = [...packages].sort().map((name) => {
  const folder = join(here, "node_modules", name);
  const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = ["LICENSE", "LICENSE.md", "LICENSE.txt"].map((one) => join(folder, one)).find(existsSync);
  if (!file) throw new Error(`${name} has no licence file`);
  return `${name} ${version} (${license})\n\n${readFileSync(file, "utf8").trim()}\n`;
});
const rule = "\n" + "-".repeat(80) + "\n\n";
writeFileSync(join(out, "LICENSES.txt"), `page.js contains the following packages.\n${rule}${notices.join(rule)}`);

const digest = createHash("sha256");
const sources = ["build.mjs", "package-lock.json", "package.json", "tsconfig.json"];
sources.push(...readdirSync(join(here, "src")).map((name) => `src/${name}`));
for (const name of sources.sort()) {
  digest.update(name + "\0");
  digest.update(readFileSync(join(here, name)));
}
writeFileSync(join(out, "SOURCE.sha256"), digest.digest("hex") + "\n");

for (const [file, { bytes }] of Object.entries(result.metafile.outputs)) console.log(file, bytes);
