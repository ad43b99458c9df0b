"""Gradients of inputs after training: a saliency map, adversarial steps, an input that a loss does not use."""

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(0)
model, x, y = nn.Sequential(nn.Linear(6, 8), nn.Tanh(), nn.Linear(8, 3)), torch.randn(24, 6), torch.randint(0, 3, (24,))
opt = torch.optim.Adam(model.parameters(), lr=1e-2)
for _ in range(12):
    loss = F.cross_entropy(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()

probe = x[:4].clone().requires_grad_()
unused = torch.zeros(3).requires_grad_()
F.cross_entropy(model(probe), y[:4]).backward()
print(probe.grad.shape, unused.grad)
for _ in range(3):
    shift = torch.zeros(4, 6).requires_grad_()
    if shift.grad is not None:
        shift.grad.zero_()
    target = model(x[:4]).detach().softmax(1)
    F.kl_div(model(x[:4] + shift + 0.01).log_softmax(1), target, reduction="batchmean").backward()
    print(shift.grad.shape)
