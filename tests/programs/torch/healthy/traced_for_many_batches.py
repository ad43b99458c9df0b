"""Traced modules with loops over what never changes, checks of sizes, and sizes that the trace follows."""

import warnings

import torch
from torch import nn

warnings.simplefilter("ignore")  # TorchScript is deprecated


class Bands(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = nn.ModuleList([nn.Linear(6, 4) for _ in range(3)])

    def forward(self, x):
        assert len(x) <= 64
        if len(x) == 0:
            raise ValueError("no samples")
        found = [self.parts[band](x[:, band]) for band in range(int(x.size(1)))]
        return torch.stack(found, 1).view(x.size(0), -1) * x.shape[0]


torch.manual_seed(0)
bands = torch.jit.trace(Bands(), torch.randn(2, 3, 6))
optimizer = torch.optim.SGD(bands.parameters(), lr=0.01)
for count in (2, 7, 5, 8):
    optimizer.zero_grad()
    bands(torch.randn(count, 3, 6)).square().mean().backward()
    optimizer.step()
print(bands(torch.randn(9, 3, 6)).shape)
one_length = torch.jit.trace(nn.Sequential(nn.Flatten(), nn.Linear(6, 2)), torch.randn(4, 2, 3))
print(one_length(torch.randn(6, 2, 3)).shape)
try:
    one_length(torch.randn(6, 2, 4))
except RuntimeError:
    print("another length is refused")
