"""The MCP server: the tools as an assistant sees them. Loaded only where the `mcp` package is installed."""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable
from typing import Annotated, Any

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import ToolAnnotations
from pydantic import Field

from tensorwhy import __version__
from tensorwhy.integrations.assistants.workspace import Program, Tell, Workspace, bounded
from tensorwhy.integrations.cli.errors import BadInput
from tensorwhy.integrations.incoming import stdin_by_lines

INSTRUCTIONS = " ".join(
    (
        "Explains why a gradient in a TensorFlow, Keras or PyTorch program is None, zero or NaN, why a tensor has no",
        "Keras history or is not part of a graph, and why a variable never trains.",
        "`run_program` observes a real run, so its report says what happened.",
        "`propose_fix` re-runs changed copies, and only `apply_fix` writes to files.",
        "Programs run with the user's permissions.",
    )
)

Path = Annotated[str, Field(description="A Python file, as a path in the workspace; with `module`, a module's name.")]
Arguments = Annotated[list[str], Field(description="The program's own command-line arguments.")]
Module = Annotated[bool, Field(description="Run `program` as a module, as `python -m` does.")]
Limit = Annotated[
    float | None, Field(description="Seconds after which the program is interrupted and explained. Use a short run.")
]
_READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)
_RUNS = ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=True)
_WRITES = ToolAnnotations(read_only_hint=False, destructive_hint=True, idempotent_hint=False, open_world_hint=False)


def serve(workspace: Workspace) -> None:
    """Serve over standard input and output until the client disconnects."""
    sys.stdin = stdin_by_lines()
    server(workspace).run("stdio")


def server(workspace: Workspace) -> MCPServer[Any]:
    """The server with its tools."""
    made: MCPServer[Any] = MCPServer("tensorwhy", version=__version__, instructions=INSTRUCTIONS, log_level="WARNING")

    @made.tool(annotations=_RUNS, structured_output=False)
    async def run_program(
        program: Path,
        context: Context[Any, Any],
        arguments: Arguments = [],  # noqa: B006  the SDK reads the default from here
        module: Module = False,
        time_limit: Limit = None,
    ) -> str:
        """Run a TensorFlow, Keras or PyTorch program and explain every lost gradient, history or update."""
        wanted = Program(name=program, arguments=tuple(arguments), module=module)
        return await _answer(workspace.run(wanted, time_limit, _progress(context)))

    @made.tool(annotations=_RUNS, structured_output=False)
    async def ask_about(
        program: Path,
        question: Annotated[
            str, Field(description="A line as `file.py:12`, or the name of a variable, layer or tensor.")
        ],
        context: Context[Any, Any],
        arguments: Arguments = [],  # noqa: B006
        module: Module = False,
        time_limit: Limit = None,
    ) -> str:
        """Run a program and answer about one line, variable, layer or tensor, whether or not its gradient was lost."""
        if not question.strip():
            raise ToolError("question is empty; pass a line as `file.py:12`, or a name")
        wanted = Program(name=program, arguments=tuple(arguments), module=module)
        return await _answer(workspace.run(wanted, time_limit, _progress(context), ask=question))

    @made.tool(annotations=_READS, structured_output=False)
    async def check_source(
        context: Context[Any, Any],
        paths: Annotated[
            list[str], Field(description="Files and folders in the workspace; all of it by default.")
        ] = [],  # noqa: B006
    ) -> str:
        """Read Python files and notebooks without running them, and report what fails whenever the line runs."""
        return await _answer(workspace.check(paths, _progress(context)))

    @made.tool(annotations=_READS, structured_output=False)
    def explain_reason(
        code: Annotated[str, Field(description="A code or name such as TW102; empty lists all reasons.")] = "",
    ) -> str:
        """Explain a reason: what it means, how to confirm it and how to repair it."""
        return _given(lambda: workspace.explain(code))

    @made.tool(annotations=_RUNS, structured_output=False)
    async def propose_fix(
        program: Path,
        context: Context[Any, Any],
        arguments: Arguments = [],  # noqa: B006
        module: Module = False,
        codes: Annotated[list[str], Field(description="Only these reasons; all by default.")] = [],  # noqa: B006
        time_limit: Annotated[float | None, Field(description="Seconds for all runs; each gets a quarter.")] = None,
    ) -> str:
        """Propose edits, each verified by running a changed copy. Runs the program several times and writes nothing."""
        wanted = Program(name=program, arguments=tuple(arguments), module=module)
        return await _answer(workspace.propose(wanted, codes, time_limit, _progress(context)))

    @made.tool(annotations=_WRITES, structured_output=False)
    def apply_fix(proposal: Annotated[str, Field(description="The number that `propose_fix` returned.")]) -> str:
        """Write a proposal into the user's files: all of them, or none if one was changed since it was proposed."""
        return _given(lambda: workspace.apply(proposal))

    return made


def _progress(context: Context[Any, Any]) -> Tell:
    """Tell the client that a long call is alive, so that it does not give up."""

    async def tell(seconds: float) -> None:
        await context.report_progress(seconds, message=f"running for {seconds:.0f} s")

    return tell


async def _answer(pending: Awaitable[str]) -> str:
    try:
        return await pending
    except BadInput as error:
        raise ToolError(bounded(error.message)) from None


def _given(answer: Callable[[], str]) -> str:
    try:
        return answer()
    except BadInput as error:
        raise ToolError(bounded(error.message)) from None
