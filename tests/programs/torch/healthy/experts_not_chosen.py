"""Four experts of which a gate chooses one for each sample: two of them are not chosen at first."""

import torch
from torch import nn
torch.manual_seed(0)
class MoE(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate = nn.Linear(4, 4)
        self.experts = nn.ModuleList(nn.Linear(4, 2) for _ in range(4))
        with torch.no_grad():
            self.gate.bias.copy_(torch.tensor([5.0, 5.0, -5.0, -5.0]))
    def forward(self, x):
        w = self.gate(x).softmax(-1)
        best = w.argmax(-1)
        out = torch.stack([e(x) for e in self.experts], 1)
        chosen = out.gather(1, best[:, None, None].expand(-1, 1, 2)).squeeze(1)
        return chosen * w.gather(1, best[:, None])
m = MoE(); opt = torch.optim.Adam(m.parameters(), 1e-2)
for _ in range(12):
    x = torch.randn(16, 4)
    loss = (m(x) - x[:, :2]).square().mean()
    opt.zero_grad(); loss.backward(); opt.step()
print(loss.item())
