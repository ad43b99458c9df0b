"""A learning-rate range test: the state is kept, the rate grows until the loss explodes, the state comes back."""

import copy
import math

import torch
from torch import nn
from torch.optim.lr_scheduler import LRScheduler, OneCycleLR


class ExponentialRange(LRScheduler):
    def __init__(self, optimizer, end_lr, num_iter):
        self.end_lr, self.num_iter = end_lr, num_iter
        super().__init__(optimizer)

    def get_lr(self):
        r = self.last_epoch / max(1, self.num_iter - 1)
        return [base * (self.end_lr / base) ** r for base in self.base_lrs]


def batches():
    generator = torch.Generator().manual_seed(0)
    while True:
        x = torch.randn(16, 4, generator=generator)
        yield x, x @ torch.tensor([1.0, -2.0, 0.5, 0.0])


def find(model, criterion, data, start=1e-4, end=10.0, num_iter=20):
    optimizer = torch.optim.SGD(model.parameters(), lr=start)
    before = copy.deepcopy(model.state_dict())
    schedule = ExponentialRange(optimizer, end, num_iter)
    rates, losses, smooth = [], [], None
    for _ in range(num_iter):
        x, y = next(data)
        optimizer.zero_grad()
        loss = criterion(model(x).squeeze(-1), y)
        value = loss.item()
        smooth = value if smooth is None else 0.9 * smooth + 0.1 * value
        if not math.isfinite(value) or (losses and smooth > 5 * min(losses)):
            break
        loss.backward()
        optimizer.step()
        schedule.step()
        rates.append(schedule.get_last_lr()[0])
        losses.append(smooth)
    model.load_state_dict(before)
    return rates[min(range(len(losses)), key=losses.__getitem__)] / 10


model = nn.Sequential(nn.Linear(4, 8), nn.Hardtanh(), nn.Linear(8, 1))
data = batches()
rate = find(model, nn.MSELoss(), data)
optimizer = torch.optim.SGD(model.parameters(), lr=rate)
schedule = OneCycleLR(optimizer, max_lr=max(rate, 1e-3), total_steps=10)
for _ in range(10):
    x, y = next(data)
    loss = nn.functional.mse_loss(model(x).squeeze(-1), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    schedule.step()
print(rate > 0)
