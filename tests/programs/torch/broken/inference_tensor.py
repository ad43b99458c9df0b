import torch
from torch import nn
import torch.nn.functional as F
a, b = nn.Linear(4, 8), nn.Linear(8, 1)
opt = torch.optim.Adam([*a.parameters(), *b.parameters()])
x = torch.randn(8, 4)
with torch.inference_mode():
    h = a(x)
loss = b(h).pow(2).mean()  # why: TW103
opt.zero_grad(); loss.backward(); opt.step()
