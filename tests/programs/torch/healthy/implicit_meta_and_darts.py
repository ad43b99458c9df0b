"""Two levels: architecture weights learn on validation data with an unrolled step, then a ridge is tuned implicitly."""

import torch
import torch.nn.functional as F
from torch import nn


class MixedOp(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.ops = nn.ModuleList([nn.Identity(), nn.Linear(dim, dim), nn.Sequential(nn.Linear(dim, dim), nn.ReLU())])

    def forward(self, x, weights):
        return sum(w * op(x) for w, op in zip(weights, self.ops))


class Network(nn.Module):
    def __init__(self, dim=5, cells=2, classes=2):
        super().__init__()
        self.cells = nn.ModuleList(MixedOp(dim) for _ in range(cells))
        self.head = nn.Linear(dim, classes)
        self.alphas = (1e-3 * torch.randn(cells, 3)).requires_grad_()

    def arch_parameters(self):
        return [self.alphas]

    def forward(self, x):
        for cell, alpha in zip(self.cells, F.softmax(self.alphas, dim=-1)):
            x = cell(x, alpha)
        return self.head(x)


model = Network()
w_opt = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
a_opt = torch.optim.Adam(model.arch_parameters(), lr=3e-3, betas=(0.5, 0.999), weight_decay=1e-3)
for step in range(4):
    x, y = torch.randn(16, 5), torch.randint(2, (16,))
    xv, yv = torch.randn(16, 5), torch.randint(2, (16,))
    a_opt.zero_grad()
    train = F.cross_entropy(model(x), y)
    grads = torch.autograd.grad(train, list(model.parameters()), create_graph=True)
    fast = {name: p - 0.05 * g for (name, p), g in zip(model.named_parameters(), grads)}
    loss = F.cross_entropy(torch.func.functional_call(model, fast, (xv,)), yv)
    model.alphas.grad = torch.autograd.grad(loss, model.alphas)[0]
    a_opt.step()
    w_opt.zero_grad()
    loss = F.cross_entropy(model(x), y)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 5.0)
    w_opt.step()
    print(f"{loss.item():.4f}")
print(F.softmax(model.alphas, -1).argmax(-1).shape)

log_ridge = torch.zeros((), requires_grad=True)
outer = torch.optim.Adam([log_ridge], lr=0.1)
X, Y, XV, YV = torch.randn(20, 4), torch.randn(20), torch.randn(10, 4), torch.randn(10)
for step in range(4):
    H = X.t() @ X + log_ridge.exp() * torch.eye(4)
    with torch.no_grad():
        w = torch.linalg.solve(H, X.t() @ Y)
    w = w.requires_grad_()
    inner = 0.5 * (X @ w - Y).pow(2).sum() + 0.5 * log_ridge.exp() * w.pow(2).sum()
    (g,) = torch.autograd.grad(inner, w, create_graph=True)
    val = (XV @ w - YV).pow(2).mean()
    (v,) = torch.autograd.grad(val, w)
    u = torch.linalg.solve(H.detach(), v)
    outer.zero_grad()
    (log_ridge.grad,) = torch.autograd.grad(g, log_ridge, grad_outputs=-u)
    outer.step()
    print(f"{val.item():.4f}")
