"""FixMatch: in the first steps no pseudo label is certain enough, so that the unlabelled loss is zero."""

import itertools

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def interleave(x, size):
    s = list(x.shape)
    return x.reshape([-1, size] + s[1:]).transpose(0, 1).reshape([-1] + s[1:])


def de_interleave(x, size):
    s = list(x.shape)
    return x.reshape([size, -1] + s[1:]).transpose(0, 1).reshape([-1] + s[1:])


class ModelEMA:
    def __init__(self, model, decay):
        from copy import deepcopy

        self.ema = deepcopy(model)
        self.ema.eval()
        self.decay = decay
        for p in self.ema.parameters():
            p.requires_grad_(False)

    def update(self, model):
        with torch.no_grad():
            msd, esd = model.state_dict(), self.ema.state_dict()
            for k in esd:
                if esd[k].is_floating_point():
                    esd[k].copy_(esd[k] * self.decay + (1 - self.decay) * msd[k].detach())


model = nn.Sequential(nn.Linear(4, 16), nn.BatchNorm1d(16), nn.LeakyReLU(0.1), nn.Linear(16, 3))
labelled = itertools.cycle(DataLoader(TensorDataset(torch.randn(12, 4), torch.randint(3, (12,))), 4))
unlabelled = itertools.cycle(DataLoader(TensorDataset(torch.randn(24, 4)), 8))
optimizer = torch.optim.SGD(model.parameters(), lr=0.03, momentum=0.9, nesterov=True)
ema = ModelEMA(model, 0.99)
for batch in range(6):
    inputs_x, targets_x = next(labelled)
    (inputs_u,) = next(unlabelled)
    weak, strong = inputs_u + 0.01 * torch.randn(8, 4), inputs_u + 0.3 * torch.randn(8, 4)
    inputs = interleave(torch.cat((inputs_x, weak, strong)), 5)
    logits = de_interleave(model(inputs), 5)
    logits_x = logits[:4]
    logits_weak, logits_strong = logits[4:].chunk(2)
    del logits
    lx = F.cross_entropy(logits_x, targets_x, reduction="mean")
    pseudo = torch.softmax(logits_weak.detach(), dim=-1)
    max_probs, targets_u = torch.max(pseudo, dim=-1)
    mask = max_probs.ge(0.95).float()
    lu = (F.cross_entropy(logits_strong, targets_u, reduction="none") * mask).mean()
    loss = lx + 1.0 * lu
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    ema.update(model)
    print(f"{loss.item():.4f} {mask.mean().item():.2f}")
print(ema.ema(torch.zeros(2, 4)).shape)
