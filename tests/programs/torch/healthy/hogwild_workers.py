"""Hogwild: worker processes share a model and step their own optimizers; a loader with workers feeds the last phase."""

# run: subprocess
import torch
import torch.multiprocessing as mp
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, Dataset, IterableDataset, get_worker_info


class Squares(Dataset):
    def __len__(self):
        return 16

    def __getitem__(self, i):
        x = torch.full((2,), i / 16)
        return x, x.pow(2).sum()


class Stream(IterableDataset):
    def __iter__(self):
        info = get_worker_info()
        start, step = (info.id, info.num_workers) if info else (0, 1)
        for i in range(start, 16, step):
            x = torch.full((2,), i / 16)
            yield x, x.pow(2).sum()


def train(rank, model):
    torch.manual_seed(rank)
    torch.set_num_threads(1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for x, y in DataLoader(Squares(), batch_size=8, shuffle=True):
        optimizer.zero_grad()
        F.mse_loss(model(x).squeeze(1), y).backward()
        optimizer.step()


if __name__ == "__main__":
    mp.set_start_method("fork", force=True)
    torch.set_num_threads(1)
    model = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 1))
    model.share_memory()
    processes = [mp.Process(target=train, args=(rank, model)) for rank in range(2)]
    for p in processes:
        p.start()
    for p in processes:
        p.join()
    print([p.exitcode for p in processes])
    optimizer = torch.optim.Adam(model.parameters())
    for data in (Squares(), Stream()):
        for x, y in DataLoader(data, batch_size=8, num_workers=1):
            loss = F.mse_loss(model(x).squeeze(1), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    print(loss.item() > 0)
