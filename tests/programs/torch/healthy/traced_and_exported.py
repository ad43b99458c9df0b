"""A model is traced with fx, changed, trained, scripted; another is written in double precision with complex numbers."""

import torch
import torch.nn.functional as F
from torch import fx, nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv, self.bn = nn.Conv1d(2, 4, 3, padding=1), nn.BatchNorm1d(4)
        self.fc = nn.Linear(4, 2)

    def forward(self, x):
        return self.fc(F.relu(self.bn(self.conv(x))).mean(-1))


traced = fx.symbolic_trace(Net())
for node in traced.graph.nodes:
    if node.op == "call_function" and node.target is F.relu:
        node.target = F.silu
        node.kwargs = {}
traced.graph.lint()
traced.recompile()
opt = torch.optim.Rprop(traced.parameters(), lr=0.01)
for step in range(3):
    loss = F.cross_entropy(traced(torch.randn(8, 2, 6)), torch.randint(2, (8,)))
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(f"fx {loss.item():.4f}")

frozen = torch.jit.freeze(torch.jit.trace(traced.eval(), torch.randn(1, 2, 6)))
with torch.no_grad():
    print(frozen(torch.randn(2, 2, 6)).shape)


class Spectral(nn.Module):
    def __init__(self, channels=2, modes=3):
        super().__init__()
        self.modes = modes
        self.weight = nn.Parameter(0.1 * torch.randn(channels, channels, modes, dtype=torch.cdouble))
        self.skip = nn.Conv1d(channels, channels, 1, dtype=torch.double)

    def forward(self, x):
        f = torch.fft.rfft(x)
        out = torch.zeros_like(f)
        out[..., : self.modes] = torch.einsum("bim,iom->bom", f[..., : self.modes], self.weight)
        return F.gelu(torch.fft.irfft(out, n=x.shape[-1]) + self.skip(x))


model = nn.Sequential(Spectral(), Spectral(), nn.Conv1d(2, 1, 1, dtype=torch.double))
opt = torch.optim.Adam(model.parameters(), lr=1e-2)
for step in range(4):
    phase = torch.rand(6, 2, 1, dtype=torch.double)
    grid = torch.linspace(0, 1, 12, dtype=torch.double)
    u = torch.sin(6.28 * (grid + phase))
    loss = F.mse_loss(model(u).squeeze(1), u.sum(1).roll(2, -1))
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(f"fno {loss.item():.4f}")
