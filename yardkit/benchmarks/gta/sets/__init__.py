"""The data sets as they are released, and predictions for them."""
