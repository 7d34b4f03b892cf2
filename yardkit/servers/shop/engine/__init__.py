"""Work on the records of the app `shop`."""
