"""Optimizers that choose the rate of a step themselves: there is none in their groups, or it is a tensor."""

import torch
from torch import nn


class Adaptive(torch.optim.Optimizer):
    """As Adafactor of transformers does, without a rate of its own: `eps` is a pair, for squares and for scales."""

    def __init__(self, params, lr=None, eps=(1e-30, 1e-3)):
        super().__init__(params, {"lr": lr, "eps": eps})

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for parameter in group["params"]:
                scale = max(group["eps"][1], parameter.pow(2).mean().sqrt().item())
                rate = 0.1 if group["lr"] is None else float(group["lr"])
                size = parameter.grad.pow(2).mean().add(group["eps"][0]).sqrt()
                parameter -= rate * scale * parameter.grad / size


for given in (None, torch.tensor(0.1)):
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
    opt = Adaptive(net.parameters(), lr=given)
    x = torch.randn(16, 4)
    for step in range(6):
        opt.zero_grad()
        loss = (net(x) - x.sum(1, keepdim=True)).pow(2).mean()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
    opt.load_state_dict(opt.state_dict())
    print(f"{loss.item():.3f}")
