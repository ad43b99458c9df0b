"""Features of an encoder in evaluation mode under no_grad; the optimizer got the whole model."""

import torch
from torch import nn
import torch.nn.functional as F

model = nn.ModuleDict({"encoder": nn.Linear(6, 8), "head": nn.Linear(8, 2)})
model["encoder"].eval()
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(5):
    with torch.no_grad():
        features = model["encoder"](torch.randn(8, 6))
    loss = F.cross_entropy(model["head"](features), torch.randint(0, 2, (8,)))
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(f"{loss.item():.4f}")
