// The bundle in a stand-in for the editor: it starts the server that the settings name, and asks it.

import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRequire } from "node:module";
import Module from "node:module";
import { test } from "node:test";

const require = createRequire(import.meta.url);

/** Answers whatever is asked of it, so that the client library finds an editor in which nothing happens. */
function anything(known = {}) {
  const base = function () {};
  return new Proxy(base, {
    get: (_, name) => {
      if (name in known) return known[name];
      if (name === "then") return undefined;
      if (name === Symbol.iterator) return [][Symbol.iterator].bind([]);
      if (name === Symbol.toPrimitive) return () => "";
      return (known[name] = anything());
    },
    apply: () => anything(),
    construct: () => anything(),
  });
}

/** What happens when the extension is activated with this Python in its settings. */
async function activated(python) {
  const errors = [];
  const registered = [];
  const editor = anything({
    version: "1.91.0",
    commands: anything({
      registerCommand: (name) => {
        registered.push(name);
        return { dispose() {} };
      },
    }),
    window: anything({ showErrorMessage: async (text) => void errors.push(text) }),
    workspace: anything({
      getConfiguration: () => ({ get: () => python }),
      workspaceFolders: undefined,
      textDocuments: [],
      notebookDocuments: [],
    }),
  });
  const load = Module._load;
  Module._load = (name, ...rest) => (name === "vscode" ? editor : load(name, ...rest));
  try {
    delete require.cache[require.resolve("../dist/extension.js")];
    const extension = require("../dist/extension.js");
    await extension.activate({ subscriptions: [] });
    await extension.deactivate();
  } finally {
    Module._load = load;
  }
  return { errors, registered };
}

test("where there is no such Python, it says what to install", async () => {
  const { errors, registered } = await activated("/nowhere/python");
  assert.deepEqual(registered, ["tensorwhy.restart"]);
  assert.ok(errors.some((text) => /pip install tensorwhy\[lsp\]/.test(text)), errors.join("; "));
});

test("the Python of the settings runs the language server", { skip: process.platform === "win32" }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "tensorwhy-"));
  const python = join(folder, "python");
  writeFileSync(python, `#!/bin/sh\necho "$@" > "${folder}/arguments"\n`);
  chmodSync(python, 0o755);
  await activated(python);
  assert.match(readFileSync(join(folder, "arguments"), "utf8"), /^-m tensorwhy lsp( --stdio)?\n$/);
});
