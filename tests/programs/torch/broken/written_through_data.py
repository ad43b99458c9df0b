"""Results are written into others past the graph: through `.data`, through `detach()`, through a view of it."""

import torch
from torch import nn

torch.manual_seed(0)


class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.image = nn.Embedding(9, 6), nn.Linear(4, 6)
        self.tags, self.out = nn.Linear(4, 6), nn.Linear(6, 1)

    def forward(self, ids, pictures, tags):
        hidden = self.words(ids) * 1.0
        features = self.image(pictures)
        for row in range(len(hidden)):
            hidden.data[row][1:3] = features[row]  # why: TW104
        plain = hidden.detach()
        plain[:, 3:4].copy_(self.tags(tags))  # why: TW104
        return self.out(hidden).mean()


model = Reader()
optimizer = torch.optim.SGD(model.parameters(), 0.1)
for _ in range(4):
    loss = model(torch.randint(0, 9, (3, 5)), torch.randn(3, 2, 4), torch.randn(3, 1, 4))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
