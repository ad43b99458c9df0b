import toygrad as tg

used = tg.Parameter([1.0, 1.0])
spare = tg.Parameter([2.0, 2.0])  # why: TW115
loss = (used * tg.Tensor([1.0, 2.0])).sum()
print(tg.grad(loss, [used, spare]))
