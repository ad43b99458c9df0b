"""Optimizers by hand: Lookahead around Adam, LARS by subclass, gradients centralized, and several behind one face."""

from collections import defaultdict

import torch
from torch import nn
from torch.optim.optimizer import Optimizer


class Lookahead(Optimizer):
    def __init__(self, optimizer, k=3, alpha=0.5):
        self.optimizer, self.k, self.alpha = optimizer, k, alpha
        self.param_groups = self.optimizer.param_groups
        self.state = defaultdict(dict)
        self.defaults = optimizer.defaults
        for group in self.param_groups:
            group["counter"] = 0

    def update(self, group):
        for fast in group["params"]:
            param_state = self.state[fast]
            if "slow_param" not in param_state:
                param_state["slow_param"] = torch.zeros_like(fast.data)
                param_state["slow_param"].copy_(fast.data)
            slow = param_state["slow_param"]
            slow += (fast.data - slow) * self.alpha
            fast.data.copy_(slow)

    def step(self, closure=None):
        loss = self.optimizer.step(closure)
        for group in self.param_groups:
            if group["counter"] == 0:
                self.update(group)
            group["counter"] = (group["counter"] + 1) % self.k
        return loss

    def zero_grad(self, set_to_none=True):
        self.optimizer.zero_grad(set_to_none)


class LARS(Optimizer):
    def __init__(self, params, lr, momentum=0.9, trust=0.01):
        super().__init__(params, dict(lr=lr, momentum=momentum, trust=trust))

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                d = p.grad
                if d is None:
                    continue
                if p.ndim > 1:
                    d = d - d.mean(dim=tuple(range(1, d.ndim)), keepdim=True)
                    pn, un = torch.norm(p), torch.norm(d)
                    d = d.mul(torch.where(pn > 0.0, torch.where(un > 0, group["trust"] * pn / un, 1.0), 1.0))
                state = self.state[p]
                if "mu" not in state:
                    state["mu"] = torch.zeros_like(p)
                state["mu"].mul_(group["momentum"]).add_(d)
                p.add_(state["mu"], alpha=-group["lr"])


def fit(model, optimizer, steps=5):
    for _ in range(steps):
        x = torch.randn(12, 4)
        loss = nn.functional.huber_loss(model(x).squeeze(-1), x.norm(dim=1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return f"{loss.item():.4f}"


def make():
    return nn.Sequential(nn.Linear(4, 12), nn.SELU(), nn.Linear(12, 1))


model = make()
print(fit(model, Lookahead(torch.optim.Adam(model.parameters(), lr=1e-2))))
model = make()
print(fit(model, LARS(model.parameters(), lr=0.1)))
