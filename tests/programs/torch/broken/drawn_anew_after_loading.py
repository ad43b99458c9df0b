"""The encoder loads its weights as it is made, and the model that holds it draws all of them anew."""

import torch
from torch import nn

torch.manual_seed(0)


class Encoder(nn.Module):
    def __init__(self, state):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 8))
        self.layers.load_state_dict(state)

    def forward(self, x):
        return self.layers(x)


class Model(nn.Module):
    def __init__(self, state):
        super().__init__()
        self.encoder, self.head = Encoder(state), nn.Linear(8, 1)
        self.apply(self.begin)

    def begin(self, module):
        if isinstance(module, nn.Linear):
            nn.init.kaiming_normal_(module.weight)  # why: TW605

    def forward(self, x):
        return self.head(self.encoder(x))


state = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 8)).state_dict()
model = Model(state)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(3):
    loss = model(torch.randn(8, 4)).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
