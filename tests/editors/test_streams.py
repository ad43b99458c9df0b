"""The servers of editors and assistants, given streams that no client sends: they go on, or end without a word."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from support.runner import environment
from tensorwhy.integrations.incoming import LARGEST

SOURCE = "import tensorflow as tf\nx = tf.constant([1.0])\n"


def framed(message: Any) -> bytes:
    data = message if isinstance(message, bytes) else json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n" % len(data) + data


def told(method: str, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "method": method, "params": params}


def opened(uri: str, text: str = SOURCE) -> bytes:
    document = {"uri": uri, "languageId": "python", "version": 1, "text": text}
    return framed(told("textDocument/didOpen", textDocument=document))


HOVER = {"textDocument": {"uri": "file:///a.py"}, "position": {"line": 0, "character": 0}}
ALIVE = framed({**told("textDocument/hover", **HOVER), "id": 77})
ENDING = framed({"jsonrpc": "2.0", "id": 99, "method": "shutdown"}) + framed(told("exit"))
BAD: dict[str, tuple[bytes, bool]] = {
    "no JSON": (framed(b"{nope") + framed(b"\xff") + framed(b"null") + framed(b"[" * 100_000), True),
    "no request": (framed({"jsonrpc": "2.0"}) + framed(told("textDocument/hover", position="x")), True),
    "names": (opened("file:///\ud800.py") + opened("file:///%00.py") + opened("x") + opened("file:///dev/zero"), True),
    "too large": (b"Content-Length: %d\r\n\r\n" % (LARGEST + 1) + b"x" * (LARGEST + 1), True),
    "larger than there is": (b"Content-Length: 99999999999\r\n\r\n{}", False),
    "a length of many digits": (b"Content-Length: " + b"9" * 5000 + b"\r\n\r\n{}", False),
    "a header without an end": (b"A: b\r\n" * 200_000, False),
    "end in a check": (opened("file:///a.py", SOURCE * 20_000), True),
}


def served(command: list[str], data: bytes, folder: Path) -> bytes:
    """What a server answers to a stream that ends; it ends in time, and says nothing else."""
    done = subprocess.run(
        [sys.executable, "-m", "tensorwhy", *command],
        input=data,
        capture_output=True,
        cwd=folder,
        env=environment(),
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout


@pytest.mark.parametrize("name", BAD)
def test_an_editor_that_sends_anything_gets_an_answer_or_an_end(tmp_path: Path, name: str) -> None:
    pytest.importorskip("pygls")
    data, goes_on = BAD[name]
    first = framed({**told("initialize", processId=None, rootUri=tmp_path.as_uri(), capabilities={}), "id": 1})
    answer = served(["lsp"], first + data + ALIVE + ENDING, tmp_path)
    assert (b'"id": 77' in answer or b'"id":77' in answer) == goes_on


def test_an_assistant_that_sends_anything_gets_an_answer(tmp_path: Path) -> None:
    pytest.importorskip("mcp.server.mcpserver")
    (tmp_path / "program.py").write_text("print('\\x1b]0;PWNED\\x07')\n", encoding="utf-8")
    hello = told("initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo={"name": "x", "version": "1"})
    calls = [
        {"program": "program.py", "arguments": ["\0"]},
        {"program": "../program.py"},
        {"program": "program.py", "time_limit": -1},
    ]
    lines = [json.dumps({**hello, "id": 1}), json.dumps(told("notifications/initialized")), "{nope", "[" * 100_000]
    lines += [
        json.dumps({**told("tools/call", name="run_program", arguments=each), "id": number})
        for number, each in enumerate(calls, 10)
    ]
    lines += ["x" * (LARGEST + 1), json.dumps({"jsonrpc": "2.0", "id": 77, "method": "ping"})]
    answer = served(["mcp"], "\n".join([*lines, ""]).encode(), tmp_path).decode()
    assert all(f'"id":{number}' in answer for number in (10, 11, 12)) and "PWNED" not in answer
