"""Models behind an address: one small client, and where its keys are kept."""
