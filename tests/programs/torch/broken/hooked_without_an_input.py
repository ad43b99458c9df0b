"""The backward hook of a head returns a gradient for its input, and the features have no graph."""

import torch
from torch import nn

torch.manual_seed(0)


class Speakers(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(8, 6), nn.ReLU(), nn.Linear(6, 3))
        self.layers.register_full_backward_hook(self.turned)

    def turned(self, module, grad_input, grad_output):
        return (-0.1 * torch.ones(5, 8),)

    def forward(self, features):
        return self.layers(features)


def pooled(states):
    return states.mean(1).detach()  # why: TW104


encoder, words, speakers = nn.Linear(4, 8), nn.Linear(8, 7), Speakers()
parameters = [*encoder.parameters(), *words.parameters(), *speakers.parameters()]
optimizer = torch.optim.SGD(parameters, lr=0.1)
states = encoder(torch.randn(5, 6, 4)).tanh()
loss = words(states).square().mean() + speakers(pooled(states)).square().mean()
loss.backward()
optimizer.step()
