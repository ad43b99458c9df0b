"""Descent by hand that clears the gradient before it is used."""

import torch

weight = torch.zeros(4, 1, requires_grad=True)


def descend(tensor, rate):
    tensor.data.sub_(rate * tensor.grad)


for _ in range(12):
    x = torch.randn(16, 4)
    (x @ weight - x.sum(1, keepdim=True)).square().mean().backward()
    weight.grad.zero_()  # why: TW604
    descend(weight, 0.1)
