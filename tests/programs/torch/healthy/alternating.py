"""Two optimizers over parts of one model, which take turns."""

import torch
from torch import nn
import torch.nn.functional as F

model = nn.ModuleDict({"a": nn.Linear(4, 4), "b": nn.Linear(4, 1)})
first, second = torch.optim.SGD(model["a"].parameters(), 0.1), torch.optim.SGD(model["b"].parameters(), 0.1)
for step in range(6):
    loss = model["b"](torch.tanh(model["a"](torch.randn(8, 4)))).pow(2).mean()
    model.zero_grad()
    loss.backward()
    (first if step % 2 else second).step()
    print(f"{loss.item():.4f}")
