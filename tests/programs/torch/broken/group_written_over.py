"""A second group is filled, and never handed over; the values of its parameters are looked at before training."""

import torch
from torch import nn


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(20, 8)
        self.mix = nn.Linear(8, 8)
        self.top = nn.Linear(8, 3)

    def forward(self, ids):
        return self.top(torch.tanh(self.mix(self.table(ids))))


def optimizer(net):
    groups = []
    for parts, rate in ((("table", "mix"), 1e-3), (("top",), 1e-2)):
        group = {"lr": rate, "params": [each for name, each in net.named_parameters() if name.split(".")[0] in parts]}
        if not groups:
            groups.append(group)
    return torch.optim.AdamW(groups)  # why: TW116


net = Tagger()
before = net.top.weight.detach().clone()
opt = optimizer(net)
for _ in range(12):
    ids = torch.randint(0, 20, (16,))
    net.zero_grad()
    nn.functional.cross_entropy(net(ids), ids % 3).backward()
    opt.step()
print(torch.equal(before, net.top.weight))
