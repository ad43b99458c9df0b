"""Only the head, and then only the scales of the normalization, are given to an optimizer; nothing is frozen."""

import torch
from torch import nn

torch.manual_seed(0)
body = nn.Sequential(nn.Linear(4, 16), nn.LayerNorm(16), nn.ReLU(), nn.Linear(16, 16), nn.LayerNorm(16), nn.ReLU())
model = nn.Sequential(body, nn.Linear(16, 1))
features = torch.randn(64, 4)
labels = features.sum(1, keepdim=True)
norms = [each for module in body if isinstance(module, nn.LayerNorm) for each in module.parameters()]
for parameters in (list(model[1].parameters()), norms):
    optimizer = torch.optim.Adam(parameters, lr=1e-2)
    for _ in range(5):
        loss = nn.functional.mse_loss(model(features), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(loss.item())
