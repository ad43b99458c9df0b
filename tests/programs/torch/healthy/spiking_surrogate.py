"""A spiking network: a step function with a surrogate slope, resets that are detached, a rate loss."""

import torch
import torch.nn.functional as F
from torch import nn


class SurrogateSpike(torch.autograd.Function):
    scale = 10.0

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        out = torch.zeros_like(x)
        out[x > 0] = 1.0
        return out

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        grad_input = grad_output.clone()
        return grad_input / (SurrogateSpike.scale * torch.abs(x) + 1.0) ** 2


spike = SurrogateSpike.apply


class LIF(nn.Module):
    def __init__(self, inp, out, beta=0.9):
        super().__init__()
        self.fc = nn.Linear(inp, out)
        self.beta = nn.Parameter(torch.tensor(beta))
        self.threshold = 0.5

    def init(self, batch):
        return torch.zeros(batch, self.fc.out_features)

    def forward(self, x, mem):
        reset = (mem > self.threshold).float().detach()
        mem = self.beta.clamp(0, 1) * mem + self.fc(x) - reset * self.threshold
        return spike(mem - self.threshold), mem


class SNN(nn.Module):
    def __init__(self):
        super().__init__()
        self.l1, self.l2 = LIF(5, 24), LIF(24, 3)

    def forward(self, x, steps=6):
        m1, m2 = self.l1.init(len(x)), self.l2.init(len(x))
        spikes, mems = [], []
        for _ in range(steps):
            s1, m1 = self.l1((torch.rand_like(x) < x).float(), m1)
            s2, m2 = self.l2(s1, m2)
            spikes.append(s2)
            mems.append(m2)
        return torch.stack(spikes), torch.stack(mems)


torch.manual_seed(0)
net = SNN()
optimizer = torch.optim.Adamax(net.parameters(), lr=5e-3)
for step in range(5):
    x, y = torch.rand(16, 5), torch.randint(3, (16,))
    spikes, mems = net(x)
    loss = sum(F.cross_entropy(m, y) for m in mems) / len(mems) + 0.01 * spikes.mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(f"{loss.item():.4f} {(spikes.sum(0).argmax(1) == y).float().mean().item() >= 0}")
