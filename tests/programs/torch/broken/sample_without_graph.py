import torch
from torch import nn
import torch.nn.functional as F
a = nn.Linear(4, 2); opt = torch.optim.SGD(a.parameters(), .1)
m, s = a(torch.randn(8, 4)).chunk(2, 1)
z = torch.distributions.Normal(m, s.exp()).sample()  # why: TW103
loss = z.pow(2).mean()
opt.zero_grad(); loss.backward(); opt.step()
