"""What names of the frameworks mean: operations, datasets, what hands on no gradient."""
