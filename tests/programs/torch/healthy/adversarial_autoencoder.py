"""An adversarial autoencoder: one encoder in two optimizers, three phases per batch, gradients cleared together."""

import torch
import torch.nn.functional as F
from torch import nn


class QNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin1, self.lin2, self.gauss = nn.Linear(10, 16), nn.Linear(16, 16), nn.Linear(16, 2)

    def forward(self, x):
        x = F.relu(F.dropout(self.lin1(x), p=0.2, training=self.training))
        x = F.relu(F.dropout(self.lin2(x), p=0.2, training=self.training))
        return self.gauss(x)


def mlp(inp, out, last):
    return nn.Sequential(nn.Linear(inp, 16), nn.ReLU(), nn.Linear(16, out), last)


Q, P, D = QNet(), mlp(2, 10, nn.Sigmoid()), mlp(2, 1, nn.Sigmoid())
P_decoder = torch.optim.Adam(P.parameters(), lr=1e-3)
Q_encoder = torch.optim.Adam(Q.parameters(), lr=1e-3)
Q_generator = torch.optim.Adam(Q.parameters(), lr=5e-4)
D_solver = torch.optim.Adam(D.parameters(), lr=5e-4)
TINY = 1e-15


def clear():
    for net in (Q, P, D):
        net.zero_grad()


for batch in range(5):
    X = torch.rand(12, 10)
    clear()
    recon_loss = F.binary_cross_entropy(P(Q(X)) + TINY, X)
    recon_loss.backward()
    P_decoder.step()
    Q_encoder.step()
    clear()

    Q.eval()
    z_real, z_fake = torch.randn(12, 2) * 5.0, Q(X)
    D_loss = -torch.mean(torch.log(D(z_real) + TINY) + torch.log(1 - D(z_fake) + TINY))
    D_loss.backward()
    D_solver.step()
    clear()

    Q.train()
    G_loss = -torch.mean(torch.log(D(Q(X)) + TINY))
    G_loss.backward()
    Q_generator.step()
    clear()
    print(f"{recon_loss.item():.3f} {D_loss.item():.3f} {G_loss.item():.3f}")
