"""Real processes that train together: each records under its own name, and one report tells of all."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import pytest

from support import cluster, parquet
from support.marks import versions
from tensorwhy.model.report import Report
from tensorwhy.traces import merge, reader

PROGRAMS = Path(__file__).parents[1] / "programs" / "distributed"
TIMEOUT = 180
newest_only = pytest.mark.skipif(versions()["tf"] < (2, 21), reason="real clusters are started for one version only")
pytestmark = [parquet.needed, newest_only, pytest.mark.xdist_group("cluster")]


def trained_together(python: str, folder: Path, *argv: str) -> Report:
    """The report of two workers under MultiWorkerMirroredStrategy."""
    addresses = cluster.config(worker=2)
    with ExitStack() as running:
        command = cluster.traced(PROGRAMS / "workers.py", folder, *argv)
        started = [
            running.enter_context(cluster.task(python, addresses, "worker", index, *command)) for index in (0, 1)
        ]
        for each in started:
            out, err = each.communicate(timeout=TIMEOUT)
            assert each.returncode == 0, err
            assert out.startswith("trained")
    return merge.report(reader.workers(str(folder)), "0.1.0")


def test_two_healthy_workers_lose_nothing(python: str, tmp_path: Path) -> None:
    report = trained_together(python, tmp_path / "trace")
    assert report.diagnoses == ()
    assert [(each.name, each.steps, each.ended) for each in report.workers] == [
        ("worker-0", 4, True),
        ("worker-1", 4, True),
    ]


def test_what_both_workers_lose_is_one_finding(python: str, tmp_path: Path) -> None:
    (found,) = trained_together(python, tmp_path / "trace", "all").diagnoses
    assert found.code == "TW106"
    assert found.workers == ("worker-0", "worker-1")
    assert "the gradient was None from step 1 to step 4 of this call" in found.notes


def test_what_one_worker_loses_names_it(python: str, tmp_path: Path) -> None:
    (found,) = trained_together(python, tmp_path / "trace", "1").diagnoses
    assert found.code == "TW106"
    assert found.workers == ("worker-1",)


@pytest.mark.parametrize(("argv", "codes"), [((), []), (("rounds",), ["TW106"])])
def test_the_coordinator_of_parameter_servers_finds_what_its_workers_lose(
    argv: tuple[str, ...], codes: list[str], python: str, tmp_path: Path
) -> None:
    addresses = cluster.config(chief=1, worker=1, ps=1)
    program = PROGRAMS / "servers.py"
    with ExitStack() as running:
        for kind in ("ps", "worker"):
            server = running.enter_context(cluster.task(python, addresses, kind, 0, str(program)))
            assert server.stdout is not None and server.stdout.readline() == "serving\n"
        command = cluster.traced(program, tmp_path / "trace", *argv)
        chief = running.enter_context(cluster.task(python, addresses, "chief", 0, *command))
        out, err = chief.communicate(timeout=TIMEOUT)
    assert (chief.returncode, out) == (0, "trained 4\n"), err
    report = merge.report(reader.workers(str(tmp_path / "trace")), "0.1.0")
    assert [each.name for each in report.workers] == ["chief-0"]
    assert [each.code for each in report.diagnoses] == codes
