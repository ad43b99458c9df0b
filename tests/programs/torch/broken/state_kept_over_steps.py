"""A tagger keeps its state with all that it was computed from; the graph is retained, but the weights change."""

import torch
from torch import nn

torch.manual_seed(0)


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn, self.head = nn.GRU(3, 5), nn.Linear(5, 2)
        self.memory = torch.zeros(1, 1, 5)

    def forward(self, words):
        states, self.memory = self.rnn(words, self.memory)  # why: TW123
        return self.head(states[-1])


tagger = Tagger()
optimizer = torch.optim.Adagrad(tagger.parameters(), lr=1e-2)
for step in range(4):
    loss = nn.functional.cross_entropy(tagger(torch.randn(6, 1, 3)), torch.tensor([step % 2]))
    optimizer.zero_grad()
    loss.backward(retain_graph=True)
    optimizer.step()
