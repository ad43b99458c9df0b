# Paths are joined with Python while a pipeline is mapped.
from pipeline import Images

images = Images("photos", ["a.png", "b.png", "c.png"], [0, 1, 0])
for image, label in images.dataset(batch=2):
    print(image.shape, label.shape)
