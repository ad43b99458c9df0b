"""Pruning: masks on weights, a global magnitude cut, tuning with the mask, and the mask made permanent."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.utils import prune


class LeNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1, self.conv2 = nn.Conv2d(1, 4, 3), nn.Conv2d(4, 6, 3)
        self.fc1, self.fc2 = nn.Linear(6 * 2 * 2, 12), nn.Linear(12, 3)

    def forward(self, x):
        x = F.relu(self.conv1(x))
        x = F.max_pool2d(F.relu(self.conv2(x)), 2)
        return self.fc2(F.relu(self.fc1(x.view(-1, x.shape[1:].numel()))))


def train(model, optimizer, steps=3):
    for _ in range(steps):
        x, y = torch.randn(8, 1, 8, 8), torch.randint(3, (8,))
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
    return loss.item()


model = LeNet()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
print(f"dense {train(model, optimizer):.4f}")
prune.random_unstructured(model.conv1, name="weight", amount=0.3)
prune.l1_unstructured(model.conv1, name="bias", amount=1)
prune.ln_structured(model.conv2, name="weight", amount=0.5, n=2, dim=0)
prune.global_unstructured([(model.fc1, "weight"), (model.fc2, "weight")], pruning_method=prune.L1Unstructured, amount=0.4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
print(f"pruned {train(model, optimizer, 4):.4f}")
for module in (model.conv1, model.conv2, model.fc1, model.fc2):
    prune.remove(module, "weight")
prune.remove(model.conv1, "bias")
zeros = sum(int((m.weight == 0).sum()) for m in (model.conv2, model.fc1, model.fc2))
print(zeros > 0, sorted(model.state_dict())[:2])
