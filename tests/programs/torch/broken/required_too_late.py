"""Values are computed from a tensor before it requires a gradient: a helper prepares them, and a frozen layer does."""

import torch
from torch import nn

torch.manual_seed(0)


def prepare(sample):
    sample["offset"] = sample["shift"] @ sample["cell"]
    return sample


samples = [prepare({"shift": torch.randn(4, 3), "cell": torch.eye(3)}) for _ in range(3)]
net = nn.Linear(3, 1)
for sample in samples:
    sample["cell"].requires_grad_()  # why: TW101
    energy = net(sample["offset"]).sum()
    (slope,) = torch.autograd.grad(energy, sample["cell"], allow_unused=True)

body, head = nn.Linear(3, 3), nn.Linear(3, 1)
body.requires_grad_(False)
features = [body(torch.randn(4, 3)) for _ in range(2)]
for parameter in body.parameters():
    parameter.requires_grad = True  # why: TW101
optimizer = torch.optim.SGD([*body.parameters(), *head.parameters()], 0.1)
for _ in range(3):
    for each in features:
        loss = head(torch.relu(each)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
