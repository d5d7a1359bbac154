"""Makers of training rows. Each takes the records of one side of the split and a random source, and yields rows."""
