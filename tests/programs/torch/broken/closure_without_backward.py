"""The function that LBFGS is given computes the loss, and no gradient."""

import torch

torch.manual_seed(0)
x = torch.linspace(-1, 1, 20)
weights = torch.nn.Parameter(torch.zeros(2))
optimizer = torch.optim.LBFGS([weights], max_iter=4)


def error():
    return (weights[0] + weights[1] * x - x.exp()).pow(2).mean()


def fitted(times):
    for _ in range(times):
        loss = optimizer.step(error)  # why: TW604
    return loss


print(float(fitted(4).detach()))
