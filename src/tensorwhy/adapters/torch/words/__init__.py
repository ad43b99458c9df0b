"""PyTorch's own words for what is found, one row for each finding, and the edits that are proposed with them."""
