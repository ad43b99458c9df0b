"""How sensitive a loss is to each weight, measured by gradients; the last layers are fine-tuned afterwards."""

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 16), nn.Tanh(), nn.Linear(16, 1))
importance = {name: torch.zeros_like(each) for name, each in model.named_parameters()}
for _ in range(10):
    model.zero_grad()
    model(torch.randn(8, 4)).square().mean().backward()
    for name, each in model.named_parameters():
        importance[name] += each.grad.square()
print({name: float(each.mean()) for name, each in importance.items()})

optimizer = torch.optim.SGD([*model[2].parameters(), *model[4].parameters()], lr=0.05)
for _ in range(5):
    optimizer.zero_grad()
    loss = model(torch.randn(32, 4)).square().mean()
    loss.backward()
    optimizer.step()
print(loss.item())
