"""Complex parameters and Fourier transforms."""

import torch
from torch import nn
import torch.nn.functional as F

weight = nn.Parameter(torch.randn(5, dtype=torch.cfloat))
opt = torch.optim.Adam([weight], lr=1e-2)
for step in range(4):
    x = torch.randn(3, 8)
    y = torch.fft.irfft(torch.fft.rfft(x) * weight, n=8)
    loss = (y - x.roll(1, 1)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(f"{loss.item():.4f}")
