"""An optimizer keeps copies of the weights, made before the model is loaded: its first step brings the old ones back."""

import torch
from torch import nn


class Copied:
    def __init__(self, parameters, rate):
        self.parameters = list(parameters)
        self.masters = [each.detach().double().requires_grad_() for each in self.parameters]
        self.optimizer = torch.optim.SGD(self.masters, lr=rate)

    @torch.no_grad()
    def step(self):
        for each, master in zip(self.parameters, self.masters):
            master.grad = each.grad.double()
        self.optimizer.step()
        for each, master in zip(self.parameters, self.masters):
            each.copy_(master)
            each.grad = None


def resumed(state):
    model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
    optimizer = Copied(model.parameters(), 1e-3)
    model.load_state_dict(state)  # why: TW605
    return model, optimizer


torch.manual_seed(0)
saved = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1)).state_dict()
model, optimizer = resumed(saved)
for step in range(4):
    x = torch.randn(16, 4)
    loss = nn.functional.mse_loss(model(x), x[:, :1])
    loss.backward()
    optimizer.step()
    print(step, loss.item())
