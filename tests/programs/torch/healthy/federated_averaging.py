"""Federated averaging: copies train at clients, their weights are averaged, a proximal term keeps them close."""

import copy

import torch
import torch.nn.functional as F
from torch import nn


class Client:
    def __init__(self, data, mu=0.0):
        self.x, self.y, self.mu = *data, mu

    def train(self, global_model, epochs=2):
        model = copy.deepcopy(global_model)
        model.train()
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.5)
        anchor = [p.detach().clone() for p in global_model.parameters()]
        losses = []
        for _ in range(epochs):
            for xb, yb in zip(self.x.split(8), self.y.split(8)):
                model.zero_grad()
                loss = F.cross_entropy(model(xb), yb)
                if self.mu:
                    loss = loss + self.mu / 2 * sum((p - a).pow(2).sum() for p, a in zip(model.parameters(), anchor))
                loss.backward()
                optimizer.step()
                losses.append(loss.item())
        return model.state_dict(), len(self.x), sum(losses) / len(losses)


def average(weights):
    total = sum(n for _, n in weights)
    result = copy.deepcopy(weights[0][0])
    for key in result:
        if result[key].is_floating_point():
            result[key] = sum(state[key] * (n / total) for state, n in weights)
    return result


global_model = nn.Sequential(nn.Linear(5, 12), nn.BatchNorm1d(12), nn.ReLU(), nn.Linear(12, 3))
clients = [Client((torch.randn(16, 5) + i, torch.randint(3, (16,))), mu=0.1 * (i % 2)) for i in range(4)]
for round_ in range(3):
    chosen = torch.randperm(4)[:2].tolist()
    updates, losses = [], []
    for i in chosen:
        state, n, loss = clients[i].train(global_model)
        updates.append((state, n))
        losses.append(loss)
    global_model.load_state_dict(average(updates))
    global_model.eval()
    with torch.no_grad():
        acc = (global_model(clients[0].x).argmax(1) == clients[0].y).float().mean()
    print(f"{round_} {sum(losses) / 2:.4f} {0 <= acc.item() <= 1}")
