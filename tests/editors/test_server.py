"""The language server, asked by a real client over standard input and output."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pygls")

from lsprotocol import types
from pygls.lsp.client import LanguageClient

from cli.test_check import HEALTHY, TWICE, UNWATCHED, check
from cli.test_input import assert_refused, tensorwhy
from support.runner import environment
from tensorwhy.integrations.editors import findings

Steps = Callable[["Editor"], Awaitable[None]]


class Editor:
    """An editor with one folder open."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.client = LanguageClient("editor", "1")
        self.messages: list[str] = []
        self._published: asyncio.Queue[types.PublishDiagnosticsParams] = asyncio.Queue()
        self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(lambda params: self._published.put_nowait(params))
        self.client.feature(types.WINDOW_SHOW_MESSAGE)(lambda params: self.messages.append(params.message))

    def uri(self, name: str) -> str:
        return (self.folder / name).as_uri()

    async def start(self) -> None:
        await self.client.start_io(
            sys.executable, "-m", "tensorwhy", "lsp", "--stdio", cwd=self.folder, env=environment()
        )
        folder = types.WorkspaceFolder(self.folder.as_uri(), "project")
        capabilities = types.ClientCapabilities()
        await self.client.initialize_async(
            types.InitializeParams(capabilities, root_uri=folder.uri, workspace_folders=[folder])
        )
        self.client.initialized(types.InitializedParams())

    async def stop(self) -> None:
        await self.client.shutdown_async(None)
        self.client.exit(None)
        await self.client.stop()

    async def open(self, name: str, text: str) -> list[types.Diagnostic]:
        item = types.TextDocumentItem(self.uri(name), "python", 1, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return await self.published(name)

    def change(self, name: str, version: int, text: str) -> None:
        document = types.VersionedTextDocumentIdentifier(version, self.uri(name))
        whole = types.TextDocumentContentChangeWholeDocument(text)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, [whole]))

    async def published(self, name: str, version: int | None = None) -> list[types.Diagnostic]:
        """What is shown of a document next, or for one version of it."""
        while True:
            found = await asyncio.wait_for(self._published.get(), 60)
            if found.uri == self.uri(name) and version in (None, found.version):
                return list(found.diagnostics)


@pytest.fixture
def editing(tmp_path: Path) -> Iterator[Callable[[Steps], None]]:
    def run(steps: Steps) -> None:
        async def session() -> None:
            editor = Editor(tmp_path)
            await editor.start()
            try:
                await steps(editor)
            finally:
                await editor.stop()

        asyncio.run(session())

    yield run


def test_what_is_found_is_shown_when_a_file_is_opened_and_while_it_is_written(editing) -> None:
    async def steps(editor: Editor) -> None:
        (found,) = await editor.open("train.py", "# 🎈\n" + UNWATCHED)
        assert (found.code, found.source, found.severity) == ("TW101", "tensorwhy", types.DiagnosticSeverity.Warning)
        assert (found.range.start.line, found.range.start.character) == (3, 4)
        assert found.related_information and found.code_description
        editor.change("train.py", 2, UNWATCHED.replace("tf.constant", "tf.Variable"))
        assert await editor.published("train.py", 2) == []
        editor.change("train.py", 3, UNWATCHED + "\ndef f(:\n")
        assert await editor.published("train.py", 3) == []
        editor.change("train.py", 4, TWICE)
        assert [each.code for each in await editor.published("train.py", 4)] == ["TW120"]

    editing(steps)


def test_columns_count_as_the_protocol_counts(editing) -> None:
    async def steps(editor: Editor) -> None:
        text = UNWATCHED.replace("x = tf.constant(3.0)", 'y = "🎈"; x = tf.constant(3.0)')
        (found,) = await editor.open("train.py", text)
        assert found.range.start.character == len('y = "🎈"; x = ') + 1

    editing(steps)


def test_a_finding_is_explained_where_it_is(editing) -> None:
    async def steps(editor: Editor) -> None:
        (found,) = await editor.open("train.py", UNWATCHED)
        document = types.TextDocumentIdentifier(editor.uri("train.py"))
        shown = await editor.client.text_document_hover_async(types.HoverParams(document, found.range.start))
        assert shown is not None and "# TW101 not-watched" in shown.contents.value
        assert await editor.client.text_document_hover_async(types.HoverParams(document, types.Position(0, 0))) is None

    editing(steps)


def test_an_edit_is_offered_and_mends_what_was_found(editing) -> None:
    async def steps(editor: Editor) -> None:
        (found,) = await editor.open("train.py", UNWATCHED)
        document = types.TextDocumentIdentifier(editor.uri("train.py"))
        context = types.CodeActionContext([found])
        asked = types.CodeActionParams(document, found.range, context)
        actions = await editor.client.text_document_code_action_async(asked)
        assert actions
        (change,) = actions[0].edit.document_changes
        assert (change.text_document.uri, change.text_document.version) == (editor.uri("train.py"), 1)
        editor.change("train.py", 2, _edited(UNWATCHED, change.edits))
        assert not await editor.client.text_document_code_action_async(asked), "edits of the text before"
        assert await editor.published("train.py", 2) == []

    editing(steps)


def _edited(text: str, edits: Any) -> str:
    lines = text.splitlines(keepends=True)
    for edit in sorted(edits, key=lambda each: (each.range.start.line, each.range.start.character), reverse=True):
        start, end = edit.range.start, edit.range.end
        lines.append("")
        whole = lines[start.line][: start.character] + edit.new_text + lines[end.line][end.character :]
        lines[start.line : end.line + 1] = [whole]
    return "".join(lines)


def test_what_a_run_found_is_shown_at_the_lines_where_they_are_now(editing, tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(UNWATCHED)
    (tmp_path / ".tensorwhy").mkdir()
    check("--format", "lsp", "--output", ".tensorwhy/findings.json", "train.py", cwd=tmp_path)
    saved = tmp_path / ".tensorwhy" / "findings.json"
    saved.write_text(saved.read_text().replace("TW101", "TW106"))

    async def steps(editor: Editor) -> None:
        found = await editor.open("train.py", "\n\n" + UNWATCHED)
        assert [(each.code, each.range.start.line) for each in found] == [("TW101", 4), ("TW106", 4)]
        editor.change("train.py", 2, HEALTHY)
        assert await editor.published("train.py", 2) == []

    editing(steps)


def test_what_is_no_finding_of_a_run_is_said_and_the_rest_goes_on(editing, tmp_path: Path) -> None:
    (tmp_path / ".tensorwhy").mkdir()
    (tmp_path / ".tensorwhy" / "findings.json").write_text('[{"uri": 3}]')

    async def steps(editor: Editor) -> None:
        assert len(await editor.open("train.py", UNWATCHED)) == 1
        assert any("is not what `--format lsp` writes" in message for message in editor.messages)

    editing(steps)


def test_without_the_library_it_says_what_to_install(tmp_path: Path) -> None:
    (tmp_path / "pygls.py").write_text("raise ImportError('no pygls')")
    done = tensorwhy("lsp", cwd=tmp_path, PYTHONPATH=f"{tmp_path}:{environment()['PYTHONPATH']}")
    assert_refused(done, "pygls", "pip install tensorwhy[lsp]")


def test_findings_of_a_run_have_no_edits() -> None:
    data = findings.Data(slug="s", line="x = 1", fixes=[findings.Fix("fix", True, {})])
    at = findings.Range(findings.Position(5, 0), findings.Position(5, 3))
    one = findings.Finding(at, 1, "TW1", findings.Link("h"), "tensorwhy", "m", [], data)
    (moved,) = findings.placed([one], ["x = 1", "", "", "", "", "", "  x = 1"])
    assert (moved.range.start.line, moved.data.fixes) == (6, [])
    assert findings.placed([one], ["x = 2"]) == []
