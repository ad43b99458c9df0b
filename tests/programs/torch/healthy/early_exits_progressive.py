"""Early exits, progressive growing with a fade-in, and greedy layer-wise training of an autoencoder."""

import torch
import torch.nn.functional as F
from torch import nn


class EarlyExit(nn.Module):
    def __init__(self, dim=6, depth=3, classes=3):
        super().__init__()
        self.blocks = nn.ModuleList([nn.Sequential(nn.Linear(dim, dim), nn.ReLU()) for _ in range(depth)])
        self.exits = nn.ModuleList([nn.Linear(dim, classes) for _ in range(depth)])

    def forward(self, x):
        outs = []
        for block, exit_ in zip(self.blocks, self.exits):
            x = block(x)
            outs.append(exit_(x))
        return outs

    @torch.no_grad()
    def infer(self, x, threshold=0.6):
        for block, exit_ in zip(self.blocks, self.exits):
            x = block(x)
            p = exit_(x).softmax(-1)
            if p.max() > threshold:
                break
        return p.argmax(-1)


model = EarlyExit()
opt = torch.optim.RAdam(model.parameters(), lr=1e-2)
for step in range(4):
    x, y = torch.randn(12, 6), torch.randint(3, (12,))
    outs = model(x)
    loss = sum(F.cross_entropy(o, y) * w for o, w in zip(outs, (0.3, 0.3, 1.0)))
    loss = loss + sum(F.kl_div(o.log_softmax(1), outs[-1].softmax(1).detach(), reduction="batchmean") for o in outs[:-1])
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(f"{loss.item():.4f}")
print(model.infer(torch.randn(1, 6)).shape)


class Growing(nn.Module):
    def __init__(self):
        super().__init__()
        self.start = nn.Linear(3, 4)
        self.stages = nn.ModuleList([nn.Linear(4, 8), nn.Linear(8, 16)])
        self.to_out = nn.ModuleList([nn.Linear(4, 4), nn.Linear(8, 8), nn.Linear(16, 16)])
        self.depth, self.alpha = 0, 1.0

    def forward(self, z):
        h = torch.tanh(self.start(z))
        previous = None
        for stage in self.stages[: self.depth]:
            previous, h = h, torch.tanh(stage(h))
        out = self.to_out[self.depth](h)
        if self.depth and self.alpha < 1:
            skip = F.interpolate(self.to_out[self.depth - 1](previous)[:, None], scale_factor=2).squeeze(1)
            out = torch.lerp(skip, out, self.alpha)
        return out


net = Growing()
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
for depth in range(3):
    net.depth = depth
    for step in range(4):
        net.alpha = min(1.0, (step + 1) / 3)
        size = 4 * 2**depth
        loss = (net(torch.randn(8, 3)) - torch.sin(torch.arange(size))).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(f"{depth} {loss.item():.4f}")

encoders, decoders, sizes = [], [], (8, 6, 3)
data = torch.randn(32, 8)
for inp, out in zip(sizes[:-1], sizes[1:]):
    encoder, decoder = nn.Linear(inp, out), nn.Linear(out, inp)
    with torch.no_grad():
        features = data
        for each in encoders:
            features = torch.tanh(each(features))
    opt = torch.optim.Adam([*encoder.parameters(), *decoder.parameters()], lr=1e-2)
    for step in range(3):
        noisy = features * (torch.rand_like(features) > 0.2)
        loss = F.mse_loss(decoder(torch.tanh(encoder(noisy))), features)
        opt.zero_grad()
        loss.backward()
        opt.step()
    encoders.append(encoder)
    decoders.insert(0, decoder)
stack = nn.Sequential(*[m for e in encoders for m in (e, nn.Tanh())], *decoders)
opt = torch.optim.SGD(stack.parameters(), lr=0.05)
for step in range(3):
    loss = F.mse_loss(stack(data), data)
    opt.zero_grad()
    loss.backward()
    opt.step()
print(f"{loss.item():.4f}")
