"""InfoGAN: the code head shares the trunk of the discriminator and learns with the generator."""

import torch
import torch.nn.functional as F
from torch import nn


class Trunk(nn.Module):
    def __init__(self):
        super().__init__()
        self.main = nn.Sequential(nn.Conv1d(1, 8, 3, stride=2), nn.LeakyReLU(0.1), nn.Conv1d(8, 8, 3), nn.BatchNorm1d(8))

    def forward(self, x):
        return F.leaky_relu(self.main(x), 0.1).mean(2)


netG = nn.Sequential(nn.Linear(6 + 3 + 1, 16), nn.ReLU(True), nn.Linear(16, 12), nn.Unflatten(1, (1, 12)))
trunk, netD, netQ = Trunk(), nn.Sequential(nn.Linear(8, 1), nn.Sigmoid()), nn.Linear(8, 3 + 2)
for module in (netG, trunk, netD, netQ):
    for layer in module.modules():
        if isinstance(layer, (nn.Linear, nn.Conv1d)):
            nn.init.normal_(layer.weight.data, 0.0, 0.2)
            nn.init.constant_(layer.bias.data, 0)
optD = torch.optim.Adam([{"params": trunk.parameters()}, {"params": netD.parameters()}], lr=2e-4)
optG = torch.optim.Adam([{"params": netG.parameters()}, {"params": netQ.parameters()}], lr=1e-3)
bce = nn.BCELoss()
for it in range(5):
    real = torch.sin(torch.linspace(0, 6, 12) + torch.rand(8, 1) * 6).unsqueeze(1)
    label = torch.full((8, 1), 1.0)
    optD.zero_grad()
    loss_real = bce(netD(trunk(real)), label)
    loss_real.backward()
    idx = torch.randint(0, 3, (8,))
    noise = torch.cat([torch.randn(8, 6), F.one_hot(idx, 3).float(), torch.rand(8, 1) * 2 - 1], 1)
    label.fill_(0)
    fake = netG(noise)
    loss_fake = bce(netD(trunk(fake.detach())), label)
    loss_fake.backward()
    optD.step()

    optG.zero_grad()
    label.fill_(1)
    feature = trunk(fake)
    gen_loss = bce(netD(feature), label)
    q = netQ(feature)
    dis_loss = F.cross_entropy(q[:, :3], idx)
    mu, var = q[:, 3], torch.exp(q[:, 4])
    con_loss = F.gaussian_nll_loss(mu, noise[:, -1], var)
    (gen_loss + dis_loss + 0.1 * con_loss).backward()
    optG.step()
    print(f"D {(loss_real + loss_fake).item():.3f} G {gen_loss.item():.3f} Q {dis_loss.item():.3f}")
