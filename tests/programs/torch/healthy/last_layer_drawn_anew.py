"""A loaded model whose last layer begins anew, and one that is drawn before it is loaded."""

import torch
from torch import nn

torch.manual_seed(0)


def network():
    return nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))


state = network().state_dict()
for again in (True, False):
    model = network()
    if not again:
        model.apply(lambda each: nn.init.normal_(each.weight) if isinstance(each, nn.Linear) else None)
    model.load_state_dict(state)
    if again:
        nn.init.normal_(model[2].weight)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(3):
        loss = model(torch.ones(8, 4)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"{loss.item():.4f}")
