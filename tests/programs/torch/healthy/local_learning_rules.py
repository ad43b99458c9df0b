"""No backpropagation from end to end: forward-forward layers, feedback alignment, Hebbian rules, an echo state network."""

import torch
import torch.nn.functional as F
from torch import nn


class FFLayer(nn.Linear):
    def __init__(self, inp, out):
        super().__init__(inp, out)
        self.opt = torch.optim.Adam(self.parameters(), lr=0.03)
        self.threshold = 2.0

    def forward(self, x):
        return F.relu(F.linear(x / (x.norm(2, 1, keepdim=True) + 1e-4), self.weight, self.bias))

    def train_layer(self, pos, neg):
        for _ in range(3):
            g_pos, g_neg = self.forward(pos).pow(2).mean(1), self.forward(neg).pow(2).mean(1)
            loss = torch.log(1 + torch.exp(torch.cat([-g_pos + self.threshold, g_neg - self.threshold]))).mean()
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
        return self.forward(pos).detach(), self.forward(neg).detach(), loss.item()


layers = [FFLayer(6, 16), FFLayer(16, 16)]
h_pos, h_neg = torch.rand(12, 6), torch.rand(12, 6) - 1
for layer in layers:
    h_pos, h_neg, loss = layer.train_layer(h_pos, h_neg)
    print(f"ff {loss:.4f}")


class Alignment(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias, feedback):
        ctx.save_for_backward(x, weight, bias, feedback)
        return x @ weight.t() + bias

    @staticmethod
    def backward(ctx, grad):
        x, weight, bias, feedback = ctx.saved_tensors
        return grad @ feedback, grad.t() @ x, grad.sum(0), None


class FALinear(nn.Linear):
    def __init__(self, inp, out):
        super().__init__(inp, out)
        self.feedback = nn.Parameter(torch.randn(out, inp) * 0.1, requires_grad=False)

    def forward(self, x):
        return Alignment.apply(x, self.weight, self.bias, self.feedback)


net = nn.Sequential(FALinear(6, 12), nn.Tanh(), FALinear(12, 3))
opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
for step in range(4):
    loss = F.cross_entropy(net(torch.randn(12, 6)), torch.randint(3, (12,)))
    opt.zero_grad()
    loss.backward()
    opt.step()
print(f"fa {loss.item():.4f}")

W = torch.randn(3, 6) * 0.1
for x in torch.randn(20, 6):
    y = W @ x
    W += 0.01 * (torch.outer(y, x) - torch.tril(torch.outer(y, y)) @ W)
print("oja", W.shape)

reservoir, w_in, readout = torch.randn(20, 20), torch.randn(20, 1), nn.Linear(20, 1)
reservoir *= 0.9 / torch.linalg.eigvals(reservoir).abs().max()
series, state, states = torch.sin(torch.arange(0, 12, 0.2)), torch.zeros(20), []
with torch.no_grad():
    for value in series[:-1]:
        state = torch.tanh(reservoir @ state + w_in @ value[None])
        states.append(state)
states, targets = torch.stack(states), series[1:, None]
opt = torch.optim.Adam(readout.parameters(), lr=0.05)
for step in range(4):
    loss = F.mse_loss(readout(states), targets)
    opt.zero_grad()
    loss.backward()
    opt.step()
print(f"esn {loss.item():.4f}")
