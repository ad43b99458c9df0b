"""The scores that are to be fitted are a plain tensor: nothing in the loss requires a gradient."""

# requires: torch
import torch
import torch.nn.functional as F


def fit(labels, steps):
    scores = torch.zeros(len(labels), 3)  # why: TW116
    optimizer = torch.optim.SGD([scores], lr=0.5)
    for _ in range(steps):
        optimizer.zero_grad()
        F.cross_entropy(scores, labels).backward()
        optimizer.step()
    return scores


print(fit(torch.tensor([0, 2, 1]), 3))
