"""A language model with truncated backpropagation, tied weights and an adaptive softmax whose tail is rarely used."""

import math

import torch
from torch import nn


def repackage_hidden(h):
    if isinstance(h, torch.Tensor):
        return h.detach()
    return tuple(repackage_hidden(v) for v in h)


class RNNModel(nn.Module):
    def __init__(self, ntoken, ninp, nlayers, tie=True):
        super().__init__()
        self.drop, self.encoder = nn.Dropout(0.2), nn.Embedding(ntoken, ninp)
        self.rnn = nn.LSTM(ninp, ninp, nlayers, dropout=0.2)
        self.decoder = nn.Linear(ninp, ntoken)
        if tie:
            self.decoder.weight = self.encoder.weight
        nn.init.uniform_(self.encoder.weight, -0.1, 0.1)
        nn.init.zeros_(self.decoder.bias)
        self.nlayers, self.nhid = nlayers, ninp

    def forward(self, x, hidden):
        output, hidden = self.rnn(self.drop(self.encoder(x)), hidden)
        return self.decoder(self.drop(output)).flatten(0, 1), hidden

    def init_hidden(self, bsz):
        weight = next(self.parameters())
        return tuple(weight.new_zeros(self.nlayers, bsz, self.nhid) for _ in range(2))


def batchify(data, bsz):
    n = data.size(0) // bsz
    return data.narrow(0, 0, n * bsz).view(bsz, -1).t().contiguous()


corpus = batchify(torch.randint(0, 20, (240,)), 4)
model, criterion, lr, bptt = RNNModel(20, 12, 2), nn.CrossEntropyLoss(), 5.0, 10
for epoch in range(2):
    model.train()
    hidden, total = model.init_hidden(4), 0.0
    for i in range(0, corpus.size(0) - 1, bptt):
        length = min(bptt, len(corpus) - 1 - i)
        data, targets = corpus[i : i + length], corpus[i + 1 : i + 1 + length].reshape(-1)
        model.zero_grad()
        hidden = repackage_hidden(hidden)
        output, hidden = model(data, hidden)
        loss = criterion(output, targets)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 0.25)
        for p in model.parameters():
            p.data.add_(p.grad, alpha=-lr)
        total += loss.item()
    print(f"{epoch} ppl {math.exp(total / 6):.2f}")
    lr /= 4.0

encoder = nn.GRU(6, 8, batch_first=True)
adaptive = nn.AdaptiveLogSoftmaxWithLoss(8, 30, cutoffs=[5, 15], div_value=2.0)
opt = torch.optim.Adagrad([*encoder.parameters(), *adaptive.parameters()], lr=0.05)
state = None
for step in range(4):
    out, state = encoder(torch.randn(2, 5, 6), state)
    state = state.data
    target = torch.randint(0, 5 if step < 3 else 30, (10,))
    loss = adaptive(out.reshape(10, 8), target).loss
    opt.zero_grad()
    loss.backward()
    opt.step()
print(f"{loss.item():.3f}")
