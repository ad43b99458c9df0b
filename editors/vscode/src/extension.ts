// Starts `tensorwhy lsp` and tells it when a run has written new findings. Everything else is the server's.

import { type ExtensionContext, commands, window, workspace } from "vscode";
import { LanguageClient, TransportKind } from "vscode-languageclient/node";

const FINDINGS = "**/.tensorwhy/findings.json";

let client: LanguageClient | undefined;

/** The language server, with the Python of the settings. */
function made(): LanguageClient {
  const python = workspace.getConfiguration("tensorwhy").get<string>("python") || "python";
  const folder = workspace.workspaceFolders?.[0]?.uri.fsPath;
  return new LanguageClient(
    "tensorwhy",
    "tensorwhy",
    // -P: a file of the folder does not stand in for a module of the server.
    {
      command: python,
      args: ["-m", "tensorwhy", "lsp"],
      transport: TransportKind.stdio,
      options: { cwd: folder, env: { ...process.env, PYTHONSAFEPATH: "1" } },
    },
    {
      documentSelector: [{ scheme: "file", language: "python" }],
      synchronize: { fileEvents: workspace.createFileSystemWatcher(FINDINGS) },
    },
  );
}

async function start(): Promise<void> {
  client = made();
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    const reason = error instanceof Error ? error.message : String(error);
    void window.showErrorMessage(
      `tensorwhy could not be started (${reason}). Install it with \`pip install tensorwhy[lsp]\`, ` +
        "and set `tensorwhy.python` to the Python that has it.",
    );
  }
}

async function stop(): Promise<void> {
  const stopped = client;
  client = undefined;
  await stopped?.stop();
}

/** Called by the editor when the first Python file is opened. */
export async function activate(context: ExtensionContext): Promise<void> {
  context.subscriptions.push(
    commands.registerCommand("tensorwhy.restart", async () => {
      await stop();
      await start();
    }),
  );
  await start();
}

/** Called by the editor at its end. */
export async function deactivate(): Promise<void> {
  await stop();
}
