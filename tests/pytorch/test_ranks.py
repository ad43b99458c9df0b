"""Two ranks of one training write into one trace, and `report` merges what they lost."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("pyarrow")

from support.runner import environment

PROGRAM = """
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Linear(4, 8)
        self.head = nn.Linear(8, 1)

    def forward(self, x):
        return self.head(torch.tanh(self.encoder(x)).detach())


dist.init_process_group("gloo")
torch.manual_seed(0)
net = DistributedDataParallel(Net(), find_unused_parameters=True)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(5):
    loss = net(torch.randn(8, 4)).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(f"rank {dist.get_rank()} done\\n", end="")
dist.destroy_process_group()
"""


def test_what_two_ranks_lose_is_told_once(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(PROGRAM)
    launch = ("-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2")
    told = [
        subprocess.run([sys.executable, *args], cwd=tmp_path, env=environment(), capture_output=True, text=True)
        for args in (
            (*launch, "-m", "tensorwhy", "run", "--trace", "trace", "train.py"),
            ("-m", "tensorwhy", "report", "trace", "--format", "json"),
        )
    ]
    ran, read = told
    assert "rank 0 done" in ran.stdout and "rank 1 done" in ran.stdout, ran.stdout + ran.stderr
    assert sorted(each.name for each in (tmp_path / "trace").iterdir()) == ["rank-0", "rank-1"], ran.stderr
    manifest = json.loads((tmp_path / "trace" / "rank-1" / "manifest.json").read_text())
    assert manifest["ended"] and manifest["steps"] == 5, manifest
    report = json.loads(read.stdout)
    found = [each for each in report["diagnoses"] if each["code"] == "TW104"]
    assert len(found) == 1 and "rank-0" in read.stdout and "rank-1" in read.stdout, read.stdout + ran.stderr
