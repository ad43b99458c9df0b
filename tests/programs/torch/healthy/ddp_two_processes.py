"""Two processes with gloo: gradients are averaged, accumulated with `no_sync`, and a loss is reduced for printing."""

# run: subprocess
import os
import socket

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
import torch.nn.functional as F
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def main(rank, world, port):
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port))
    dist.init_process_group("gloo", rank=rank, world_size=world)
    torch.manual_seed(0)
    x = torch.randn(16, 4)
    data = TensorDataset(x, (x.sum(1) > 0).long())
    sampler = DistributedSampler(data, num_replicas=world, rank=rank)
    loader = DataLoader(data, batch_size=4, sampler=sampler)
    model = DDP(nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2)))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(2):
        sampler.set_epoch(epoch)
        batches = list(loader)
        for i, (xb, yb) in enumerate(batches):
            last = i == len(batches) - 1
            if last:
                loss = F.cross_entropy(model(xb), yb) / len(batches)
                loss.backward()
            else:
                with model.no_sync():
                    loss = F.cross_entropy(model(xb), yb) / len(batches)
                    loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        value = loss.detach().clone()
        dist.all_reduce(value)
        if rank == 0:
            print(f"{epoch} {value.item():.4f}", flush=True)
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    workers = mp.spawn(main, args=(2, free_port()), nprocs=2, join=False)
    for each in workers.processes:  # gloo may abort a process that is ending: what it printed is what counts
        each.join()
