"""Gradients and parameters without memory of their own: sparse embeddings, and a new one that no optimizer has yet."""

import torch
from torch import nn

torch.manual_seed(0)


class Table(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(20, 4, sparse=True)
        self.more = []

    def forward(self, x):
        return self.words(x) + sum(each(x) for each in self.more)


table = Table()
scale = torch.randn(1, 1).to_sparse().requires_grad_(True)
opt = torch.optim.SGD([*table.parameters()], lr=0.1)
other = torch.optim.SGD([scale], lr=0.1)
for step in range(12):
    x = torch.randint(20, (8,))
    if step == 3:
        table.words = nn.Embedding(20, 4, sparse=True)
        opt.add_param_group({"params": [*table.words.parameters()]})
    opt.zero_grad()
    loss = (table(x) - 1.0).pow(2).mean()
    loss.backward()
    opt.step()
    scale.grad = torch.ones(1, 1).to_sparse()
    other.step()
    print(f"{loss.item():.3f} {scale.to_dense().item():.3f}")
