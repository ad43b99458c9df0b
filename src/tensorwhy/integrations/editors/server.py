"""The language server: shows what `check` finds while a document is edited, explains it, and offers the edits.

Documents are checked one at a time in a thread, a moment after the last change. Nothing is run or written.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import threading
from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec
from lsprotocol import types
from pygls import uris
from pygls.lsp.server import LanguageServer
from pygls.protocol import default_converter
from pygls.workspace import TextDocument

from tensorwhy import __version__, reasons
from tensorwhy.integrations.cli.selection import Selection
from tensorwhy.integrations.editors import findings
from tensorwhy.integrations.editors.checked import LARGEST
from tensorwhy.integrations.editors.checked import findings as checked
from tensorwhy.integrations.editors.findings import Finding, Position, Range

DELAY = 0.3
"""Seconds without a change after which a document is checked."""
RUN = ".tensorwhy/findings.json"
"""Where the findings of a run are looked for, below the folder of the workspace."""
_CONVERTER = default_converter()  # type: ignore[no-untyped-call]


class Server(LanguageServer):
    """The state of the open documents: what is `shown`, and which version of each was `checked`."""

    def __init__(self, selection: Selection, delay: float = DELAY) -> None:
        super().__init__("tensorwhy", f"v{__version__}", text_document_sync_kind=types.TextDocumentSyncKind.Full)
        self.shown: dict[str, list[Finding]] = {}
        self.checked: dict[str, int | None] = {}
        self._selection = selection
        self._delay = delay
        self._waiting: dict[str, asyncio.TimerHandle] = {}
        self._one_at_a_time = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()
        self._of_run: dict[str, list[Finding]] = {}

    def changed(self, uri: str, delay: float | None = None) -> None:
        """Check a document a moment after its last change."""
        self._forget(uri)
        after = self._delay if delay is None else delay
        self._waiting[uri] = asyncio.get_running_loop().call_later(after, self._begin, uri)

    def closed(self, uri: str) -> None:
        """Stop reporting on a document."""
        self._forget(uri)
        self.shown.pop(uri, None)
        self._publish(uri, [], None)

    def run_changed(self) -> None:
        """Read the findings of a run and show them in the open documents."""
        self._of_run = {}
        for folder in self._folders():
            try:
                found = findings.of_run(os.path.join(folder, RUN))
            except findings.Unreadable as error:
                self.window_show_message(types.ShowMessageParams(types.MessageType.Warning, f"tensorwhy: {error}"))
                continue
            for uri, each in found.items():
                self._of_run.setdefault(_key(uri), []).extend(each)
        for uri in list(self.workspace.text_documents):
            self.changed(uri, delay=0)

    def _folders(self) -> list[str]:
        known = [uris.to_fs_path(uri) for uri in self.workspace.folders] or [self.workspace.root_path]
        return [folder for folder in known if folder]

    def _forget(self, uri: str) -> None:
        waiting = self._waiting.pop(uri, None)
        if waiting is not None:
            waiting.cancel()

    def _begin(self, uri: str) -> None:
        self._waiting.pop(uri, None)
        task = asyncio.ensure_future(self._check(uri))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _check(self, uri: str) -> None:
        document = self.workspace.text_documents.get(uri)
        path = uris.to_fs_path(uri)
        if document is None or not path or not path.endswith(".py"):
            return
        version, text = document.version, document.source
        if len(text) > LARGEST:
            return
        async with self._one_at_a_time:
            found = await _in_thread(partial(checked, path, text, self._selection))
        document = self.workspace.text_documents.get(uri)
        if document is None or document.version != version:
            return  # another check waits already
        known = {(each.code, each.range.start.line) for each in found}
        of_run = findings.placed(self._of_run.get(_key(uri), []), text.splitlines())
        found += [each for each in of_run if (each.code, each.range.start.line) not in known]
        self.shown[uri], self.checked[uri] = found, version
        self._publish(uri, found, version)

    def _publish(self, uri: str, found: list[Finding], version: int | None) -> None:
        diagnostics = [_CONVERTER.structure(_plain(each), types.Diagnostic) for each in found]
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, diagnostics, version))


def _plain(finding: Finding) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(finding)
    return plain


def _key(uri: str) -> str:
    """Return a key for a document that does not depend on how its address is written."""
    try:
        return os.path.normcase(os.path.realpath(uris.to_fs_path(uri) or uri))
    except ValueError:  # no file can have that name
        return uri


async def _in_thread(work: Callable[[], list[Finding]]) -> list[Finding]:
    """Do work in a thread that nobody waits for when the server ends."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[list[Finding]] = loop.create_future()

    def run() -> None:
        made: list[Finding] = []
        error: Exception | None = None
        try:
            made = work()
        except Exception as raised:  # whoever waits gets it
            error = raised
        with contextlib.suppress(RuntimeError):  # the server has ended
            loop.call_soon_threadsafe(_settle, done, made, error)

    threading.Thread(target=run, name="tensorwhy-check", daemon=True).start()
    return await done


def _settle(done: asyncio.Future[list[Finding]], made: list[Finding], error: Exception | None) -> None:
    if done.done():
        return
    if error is not None:
        done.set_exception(error)
    else:
        done.set_result(made)


def made(selection: Selection, delay: float = DELAY) -> Server:
    """Return a server with all handlers."""
    server = Server(selection, delay)

    @server.feature(types.INITIALIZED)
    def initialized(ls: Server, params: types.InitializedParams) -> None:
        ls.run_changed()

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def opened(ls: Server, params: types.DidOpenTextDocumentParams) -> None:
        ls.changed(params.text_document.uri, delay=0)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def changed(ls: Server, params: types.DidChangeTextDocumentParams) -> None:
        ls.changed(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(ls: Server, params: types.DidCloseTextDocumentParams) -> None:
        ls.closed(params.text_document.uri)

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def files_changed(ls: Server, params: types.DidChangeWatchedFilesParams) -> None:
        ls.run_changed()

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def hover(ls: Server, params: types.HoverParams) -> types.Hover | None:
        at = Position(params.position.line, params.position.character)
        for each in ls.shown.get(params.text_document.uri, ()):
            reason = reasons.find(each.code) if each.range.holds(at) else None
            if reason is not None:
                return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, reason.page()))
        return None

    @server.feature(
        types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix])
    )
    def actions(ls: Server, params: types.CodeActionParams) -> list[types.CodeAction]:
        document = ls.workspace.get_text_document(params.text_document.uri)
        if ls.checked.get(document.uri) != document.version:
            return []  # the edits are those of another text
        asked = _CONVERTER.unstructure(params.range)
        where = msgspec.convert(asked, Range)
        return [
            _action(fix, document, first=number == 0)
            for each in ls.shown.get(document.uri, ())
            if each.range.meets(where)
            for number, fix in enumerate(each.data.fixes)
            if all(_key(uri) == _key(document.uri) for uri in fix.changes)
        ]

    return server


def _action(fix: findings.Fix, document: TextDocument, first: bool) -> types.CodeAction:
    """An edit of the version of the document that was checked: the editor refuses it for another one."""
    changes = [
        types.TextEdit(_CONVERTER.structure(msgspec.to_builtins(each.range), types.Range), each.new_text)
        for one in fix.changes.values()
        for each in one
    ]
    edited = types.OptionalVersionedTextDocumentIdentifier(document.uri, document.version)
    return types.CodeAction(
        title=f"tensorwhy: {fix.title}",
        kind=types.CodeActionKind.QuickFix,
        edit=types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(edited, list(changes))]),
        is_preferred=first,
    )
