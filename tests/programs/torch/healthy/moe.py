"""A mixture of experts with top-1 routing: some experts get nothing in some steps."""

import torch
from torch import nn
import torch.nn.functional as F

class MoE(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate = nn.Linear(6, 5)
        self.experts = nn.ModuleList(nn.Linear(6, 3) for _ in range(5))

    def forward(self, x):
        weight, index = self.gate(x).softmax(1).max(1)
        out = torch.zeros(len(x), 3)
        for number, expert in enumerate(self.experts):
            mask = index == number
            if mask.any():
                out[mask] = expert(x[mask]) * weight[mask][:, None]
        return out


moe = MoE()
opt = torch.optim.Adam(moe.parameters())
for step in range(5):
    loss = moe(torch.randn(3, 6)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(f"{loss.item():.4f}")
