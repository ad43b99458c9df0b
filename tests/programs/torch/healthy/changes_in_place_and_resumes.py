"""In place on copies, statistics off in a transform, a tied weight in one group, and a run that is resumed."""

import copy

import torch
from torch import nn
from torch.func import functional_call, grad, vmap

torch.manual_seed(0)


class Tied(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(10, 6)
        self.mix = nn.Linear(6, 12)
        self.norm = nn.BatchNorm1d(6, track_running_stats=False)
        self.out = nn.Linear(6, 10, bias=False)
        self.out.weight = self.table.weight

    def forward(self, ids):
        scale, shift = self.mix(self.table(ids)).chunk(2, dim=1)
        scale = scale.clone()
        scale += 1.0
        return self.out(self.norm(torch.cat([scale[:2], scale[2:]]) * shift))


def build(model):
    groups = [{"params": model.table.parameters(), "lr": 0.05}, {"params": model.mix.parameters()}]
    return torch.optim.SGD([*groups, {"params": model.norm.parameters()}], lr=0.1, momentum=0.9)


def train(model, opt, schedule):
    for _ in range(3):
        ids = torch.randint(0, 10, (8,))
        loss = nn.functional.cross_entropy(model(ids), ids)
        opt.zero_grad()
        loss.backward()
        opt.step()
    schedule.step()
    return loss.item()


model = Tied()
opt = build(model)
print(train(model, opt, torch.optim.lr_scheduler.StepLR(opt, 2)))
saved = copy.deepcopy((model.state_dict(), opt.state_dict()))
model = Tied()
opt = build(model)
model.load_state_dict(saved[0])
opt.load_state_dict(saved[1])
print(train(model, opt, torch.optim.lr_scheduler.StepLR(opt, 2, last_epoch=0)))

parameters = {name: each.detach() for name, each in model.named_parameters()}


def one(parameters, ids):
    return nn.functional.cross_entropy(functional_call(model, parameters, (ids,)), ids)


print(vmap(grad(one), in_dims=(None, 0))(parameters, torch.randint(0, 10, (2, 8)))["mix.bias"].shape)
