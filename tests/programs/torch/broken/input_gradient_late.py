"""After training, the gradient of an input is asked for; the model cuts its features off from the input."""

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(0)


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder, self.head = nn.Linear(6, 8), nn.Linear(8, 3)

    def features(self, x):
        return (x - x.mean(1, keepdim=True)).data  # why: TW104

    def forward(self, x):
        return self.head(torch.relu(self.encoder(self.features(x))))


model, x, y = Tagger(), torch.randn(24, 6), torch.randint(0, 3, (24,))
opt = torch.optim.Adam(model.parameters(), lr=1e-2)
for _ in range(12):
    loss = F.cross_entropy(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()

probe = x[:4].clone().requires_grad_()
score = model(probe)[range(4), y[:4]].sum()
score.backward()
print("saliency:", probe.grad)
