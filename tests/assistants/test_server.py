"""The MCP server, asked by the SDK's own client over standard input and output."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import msgspec
import pytest

from support.runner import environment

anyio = pytest.importorskip("anyio")
pytest.importorskip("mcp.server.mcpserver", reason="the server needs the package mcp, 2 or later")

from mcp.client.client import Client  # noqa: E402
from mcp.client.stdio import StdioServerParameters, stdio_client  # noqa: E402

BROKEN = """\
import tensorflow as tf

x = tf.Variable(1.0)
with tf.GradientTape() as tape:
    loss = x * x
print("first", float(tape.gradient(loss, x)))
print("second", tape.gradient(loss, x))
"""
SILENT = """\
import tensorflow as tf

x = tf.constant(1.0)
with tf.GradientTape() as tape:
    y = x * x
print("gradient", tape.gradient(y, x))
"""


class Said(msgspec.Struct, frozen=True):
    """What a tool answered."""

    text: str
    error: bool


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A workspace with a program that fails and one that loses a gradient, beside a file that is not in it."""
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "broken.py").write_text(BROKEN, encoding="utf-8")
    (tmp_path / "work" / "silent.py").write_text(SILENT, encoding="utf-8")
    (tmp_path / "outside.py").write_text(SILENT, encoding="utf-8")
    return tmp_path / "work"


def connected(folder: Path, python: str, use: Callable[[Client], Coroutine[Any, Any, Any]], *options: str) -> Any:
    """What `use` makes of a client that started a server for this folder, whose programs this Python runs."""
    command = ["-m", "tensorwhy", "mcp", "--root", str(folder), *(["--python", python] if python else []), *options]
    parameters = StdioServerParameters(command=sys.executable, args=command, env=environment())

    async def main() -> Any:
        with open(folder.parent / "server.err", "a+") as errors:
            async with Client(stdio_client(parameters, errlog=errors)) as client:
                return await use(client)

    return anyio.run(main)


async def called(client: Client, tool: str, **arguments: object) -> Said:
    result = await client.call_tool(tool, arguments)
    return Said("\n".join(each.text for each in result.content), bool(result.is_error))


def call(folder: Path, python: str, tool: str, *options: str, **arguments: object) -> Said:
    """One call of a server of its own."""
    return connected(folder, python, lambda client: called(client, tool, **arguments), *options)


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_tools_say_which_of_them_writes(folder: Path, python: str) -> None:
    tools = connected(folder, python, lambda client: client.list_tools()).tools
    assert {tool.name for tool in tools} == {
        "run_program", "ask_about", "check_source", "explain_reason", "propose_fix", "apply_fix",
    }  # fmt: skip
    assert [tool.name for tool in tools if tool.annotations.destructive_hint] == ["apply_fix"]


def test_a_run_is_explained(folder: Path) -> None:
    before = contents(folder)
    said = call(folder, "", "run_program", program="silent.py")
    assert not said.error
    assert "TW101" in said.text and "silent.py:3" in said.text
    assert "gradient None" in said.text, "what the program printed belongs to the answer"
    assert contents(folder) == before


def test_sources_are_checked_without_running_them(folder: Path, python: str) -> None:
    said = call(folder, python, "check_source", paths=["broken.py"])
    assert "TW120" in said.text and "second" not in said.text.partition("nothing run")[2]


def test_a_file_that_cannot_be_read_hides_no_findings(folder: Path, python: str) -> None:
    (folder / "other.py").write_text("import tensorflow\nx = (\n", encoding="utf-8")
    said = call(folder, python, "check_source")
    assert not said.error
    assert "TW101" in said.text and "other.py could not be read" in said.text


def test_a_reason_is_explained(folder: Path, python: str) -> None:
    assert "persistent" in call(folder, python, "explain_reason", code="TW120").text


def test_all_reasons_are_listed(folder: Path, python: str) -> None:
    assert "TW101 not-watched: " in call(folder, python, "explain_reason").text


def test_a_proposal_is_written_only_when_it_is_applied(folder: Path, python: str) -> None:
    async def use(client: Client) -> tuple[Said, bytes, Said, Said]:
        proposed = await called(client, "propose_fix", program="silent.py")
        between = (folder / "silent.py").read_bytes()
        return (
            proposed,
            between,
            await called(client, "apply_fix", proposal="1"),
            await called(client, "apply_fix", proposal="1"),
        )

    others = {name: data for name, data in contents(folder).items() if name != "silent.py"}
    proposed, between, applied, again = connected(folder, python, use)
    assert "+    tape.watch(x)" in proposed.text and 'proposal "1"' in proposed.text
    assert between.decode() == SILENT
    assert not applied.error and "silent.py" in applied.text
    assert "tape.watch(x)" in (folder / "silent.py").read_text()
    assert again.error and "no proposal" in again.text
    assert {name: data for name, data in contents(folder).items() if name != "silent.py"} == others


def test_a_proposal_for_a_file_that_was_edited_since_is_refused(folder: Path, python: str) -> None:
    async def use(client: Client) -> Said:
        await called(client, "propose_fix", program="silent.py")
        (folder / "silent.py").write_text("# mine\n")
        return await called(client, "apply_fix", proposal="1")

    said = connected(folder, python, use)
    assert said.error and "nothing was written" in said.text
    assert (folder / "silent.py").read_text() == "# mine\n"


def test_what_is_not_a_program_of_the_workspace_is_refused(folder: Path, python: str) -> None:
    os.symlink(folder.parent / "outside.py", folder / "link.py")

    async def use(client: Client) -> list[tuple[str, Said]]:
        paths = ["../outside.py", str(folder.parent / "outside.py"), "link.py", "missing.py", "bad\0name", "", "."]
        return [
            (path, await called(client, tool, program=path))
            for path in paths
            for tool in ("run_program", "propose_fix")
        ]

    for path, said in connected(folder, python, use):
        assert said.error and "TW101" not in said.text, (path, said)


BAD = [
    ("explain_reason", {"code": "TW999"}, "explain --list"),
    ("apply_fix", {"proposal": "7"}, "none yet"),
    ("check_source", {"paths": [".."]}, "is outside"),
    ("propose_fix", {"program": "silent.py", "codes": ["TW999"]}, "there is no such reason"),
    ("run_program", {"program": "--trace", "module": True}, "not the name of a module"),
    ("run_program", {"program": "silent.py", "time_limit": -1}, "positive number"),
    ("explain_reason", {"code": "T" * 1_000_000}, "characters left out"),
    ("run_program", {}, "program"),
    ("ask_about", {"program": "silent.py", "question": " "}, "question is empty"),
]


def test_bad_input_is_answered_in_words(folder: Path, python: str) -> None:
    async def use(client: Client) -> list[Said]:
        return [await called(client, tool, **arguments) for tool, arguments, _ in BAD]

    for (*_, words), said in zip(BAD, connected(folder, python, use), strict=True):
        assert said.error and words in said.text and "Traceback" not in said.text, (words, said)


def test_a_question_about_a_variable_is_answered(folder: Path, python: str) -> None:
    said = call(folder, python, "ask_about", program="silent.py", question="x")
    assert not said.error and "`x`" in said.text and "watch" in said.text


def test_a_program_that_does_not_end_is_interrupted_and_explained(folder: Path, python: str) -> None:
    (folder / "endless.py").write_text(SILENT + "import signal\nwhile True:\n    signal.pause()\n")
    limit = "20" if python == sys.executable else "5"  # in which it imports TensorFlow, or not
    said = call(folder, python, "run_program", "--time-limit", limit, program="endless.py", time_limit=500)
    assert "interrupted at the time limit" in said.text and "TW101" in said.text


def test_output_without_end_is_bounded(folder: Path, python: str) -> None:
    (folder / "loud.py").write_text("for number in range(300_000):\n    print('line', number)\n")
    said = call(folder, python, "run_program", program="loud.py")
    assert "bytes left out" in said.text and "line 299999" in said.text
    assert len(said.text) < 30_000


def test_nothing_runs_on_when_the_client_is_gone(folder: Path, python: str) -> None:
    (folder / "waits.py").write_text(
        "import os, pathlib, signal\n"
        "pathlib.Path('started.part').write_text(str(os.getpid()))\n"
        "os.rename('started.part', 'started')\n"
        "while True:\n    signal.pause()\n"
    )

    async def use(client: Client) -> None:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(lambda: called(client, "run_program", program="waits.py"))
            with anyio.fail_after(60):
                while not (folder / "started").exists():
                    await anyio.sleep(0.05)
            tasks.cancel_scope.cancel()

    connected(folder, python, use)
    assert ended(int((folder / "started").read_text()))


def ended(process: int) -> bool:
    """Return whether a process ends within some seconds."""

    async def gone() -> bool:
        with anyio.move_on_after(20):
            while alive(process):
                await anyio.sleep(0.05)
        return not alive(process)

    return anyio.run(gone)


def alive(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"
