"""CTC on sequences of several lengths, with greedy decoding between the epochs and a plateau schedule."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Utterances(Dataset):
    def __init__(self, n=12):
        g = torch.Generator().manual_seed(0)
        self.items = []
        for _ in range(n):
            length = int(torch.randint(8, 14, (), generator=g))
            label = torch.randint(1, 5, (int(torch.randint(1, 4, (), generator=g)),), generator=g)
            self.items.append((torch.randn(length, 5, generator=g), label))

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]


def collate(batch):
    xs, ys = zip(*batch)
    lengths = torch.tensor([len(x) for x in xs])
    targets = torch.tensor([len(y) for y in ys])
    return nn.utils.rnn.pad_sequence(xs, batch_first=True), torch.cat(ys), lengths, targets


class Acoustic(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(5, 12, 3, padding=1)
        self.bn = nn.BatchNorm1d(12)
        self.gru = nn.GRU(12, 10, num_layers=2, bidirectional=True, dropout=0.1, batch_first=True)
        self.fc = nn.Linear(20, 5)

    def forward(self, x):
        x = F.hardtanh(self.bn(self.conv(x.transpose(1, 2))), 0, 20, inplace=True).transpose(1, 2)
        self.gru.flatten_parameters()
        return F.log_softmax(self.fc(self.gru(x)[0]), dim=-1)


def greedy(logp, lengths):
    out = []
    for row, n in zip(logp.argmax(-1), lengths):
        row = torch.unique_consecutive(row[:n])
        out.append(row[row != 0].tolist())
    return out


model = Acoustic()
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, factor=0.5, patience=0)
ctc = nn.CTCLoss(blank=0, zero_infinity=True)
loader = DataLoader(Utterances(), batch_size=4, shuffle=True, collate_fn=collate)
for epoch in range(2):
    model.train()
    total = 0.0
    for x, y, lengths, targets in loader:
        logp = model(x)
        loss = ctc(logp.transpose(0, 1), y, lengths, targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.detach()
    scheduler.step(total)
    model.eval()
    with torch.no_grad():
        print(f"{epoch} {total / len(loader):.4f}", len(greedy(model(x), lengths)))
