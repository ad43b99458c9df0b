import toygrad as tg

scale, shift = tg.Parameter([1.0, 1.0]), tg.Parameter([-5.0, -6.0])
optimizer = tg.Descent([scale, shift])
for step in range(3):
    x = tg.Tensor([1.0, 2.0])
    optimizer.clear()
    hidden = tg.relu(x * scale + shift)  # why: TW201
    loss = (hidden - tg.Tensor([1.0, 1.0])).sum()
    loss.backward()
    optimizer.step()
