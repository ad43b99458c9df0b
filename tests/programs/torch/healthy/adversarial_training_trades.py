"""TRADES, virtual adversarial training, and free adversarial training: gradients for inputs and weights in turn."""

import torch
import torch.nn.functional as F
from torch import nn


def trades_loss(model, x, y, optimizer, step_size=0.05, epsilon=0.1, steps=3, beta=2.0):
    model.eval()
    x_adv = x.detach() + 0.001 * torch.randn(x.shape).detach()
    for _ in range(steps):
        x_adv.requires_grad_()
        with torch.enable_grad():
            loss_kl = F.kl_div(F.log_softmax(model(x_adv), dim=1), F.softmax(model(x), dim=1), reduction="sum")
        grad = torch.autograd.grad(loss_kl, [x_adv])[0]
        x_adv = x_adv.detach() + step_size * torch.sign(grad.detach())
        x_adv = torch.min(torch.max(x_adv, x - epsilon), x + epsilon)
    model.train()
    x_adv = x_adv.detach().requires_grad_(False)
    optimizer.zero_grad()
    logits = model(x)
    robust = F.kl_div(F.log_softmax(model(x_adv), dim=1), F.softmax(logits, dim=1), reduction="sum") / len(x)
    return F.cross_entropy(logits, y) + beta * robust


def vat_loss(model, x, xi=1e-2, eps=0.5):
    with torch.no_grad():
        pred = F.softmax(model(x), dim=1)
    d = F.normalize(torch.rand(x.shape) - 0.5, dim=1)
    d.requires_grad_()
    distance = F.kl_div(F.log_softmax(model(x + xi * d), dim=1), pred, reduction="batchmean")
    distance.backward()
    d = F.normalize(d.grad, dim=1)
    model.zero_grad()
    return F.kl_div(F.log_softmax(model(x + eps * d), dim=1), pred, reduction="batchmean")


model = nn.Sequential(nn.Linear(4, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 3))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
for step in range(3):
    loss = trades_loss(model, torch.randn(12, 4), torch.randint(3, (12,)), optimizer)
    loss.backward()
    optimizer.step()
    print(f"trades {loss.item():.4f}")
for step in range(3):
    x = torch.randn(12, 4)
    lds = vat_loss(model, x)
    optimizer.zero_grad()
    loss = F.cross_entropy(model(x), torch.randint(3, (12,))) + lds
    loss.backward()
    optimizer.step()
    print(f"vat {loss.item():.4f}")
delta = torch.zeros(12, 4)
delta.requires_grad = True
for step in range(2):
    x, y = torch.randn(12, 4), torch.randint(3, (12,))
    for _ in range(3):
        loss = F.cross_entropy(model(x + delta), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        delta.data = torch.clamp(delta + 0.05 * torch.sign(delta.grad.detach()), -0.1, 0.1)
        delta.grad.zero_()
    print(f"free {loss.item():.4f}")
