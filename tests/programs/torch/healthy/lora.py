"""A frozen linear layer with a low-rank adapter."""

import torch
from torch import nn
import torch.nn.functional as F

class LoRA(nn.Module):
    def __init__(self, base, rank=2):
        super().__init__()
        self.base = base.requires_grad_(False)
        self.down = nn.Parameter(torch.randn(rank, base.in_features) * 0.1)
        self.up = nn.Parameter(torch.zeros(base.out_features, rank))

    def forward(self, x):
        return self.base(x) + x @ self.down.t() @ self.up.t()


model = nn.Sequential(LoRA(nn.Linear(6, 8)), nn.ReLU(), LoRA(nn.Linear(8, 1)))
opt = torch.optim.AdamW([each for each in model.parameters() if each.requires_grad], lr=1e-2)
for step in range(5):
    loss = model(torch.randn(8, 6)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(f"{loss.item():.4f}")
