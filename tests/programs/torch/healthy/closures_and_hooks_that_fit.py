"""Closures that clear before they add up parts of a batch, and hooks that limit gradients, or mask what nothing moves."""

# requires: torch>=2.1
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
net, x = nn.Linear(4, 1), torch.randn(64, 4)
for search in (None, "strong_wolfe"):
    optimizer = torch.optim.LBFGS(net.parameters(), lr=0.5, max_iter=6, line_search_fn=search)

    def closure():
        optimizer.zero_grad()
        total = 0.0
        for part in x.split(16):
            loss = (net(part) - part.sum(1, keepdim=True)).pow(2).mean() / 4
            loss.backward()
            total += float(loss)
        return total

    for _ in range(4):
        optimizer.step(closure)

rows, readout = nn.Embedding(20, 8), nn.Linear(8, 3)
mask = torch.ones(20, 1)
mask[:5] = 0
for parameter in readout.parameters():
    parameter.register_hook(lambda gradient: gradient.clamp(-0.1, 0.1))
    parameter.register_hook(torch.nan_to_num)
rows.weight.register_hook(lambda gradient: gradient * mask)


def as_it_is(parameter):
    parameter.grad.mul_(1.0)


readout.weight.register_post_accumulate_grad_hook(as_it_is)
optimizer = torch.optim.SGD([*rows.parameters(), *readout.parameters()], 0.1, momentum=0.9)
for _ in range(20):
    tokens = torch.randint(0, 20, (32,))
    loss = F.cross_entropy(readout(rows(tokens)), tokens % 3)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
handle = rows.weight.register_hook(lambda gradient: gradient * 0)
handle.remove()
print(len(rows.weight._backward_hooks))
