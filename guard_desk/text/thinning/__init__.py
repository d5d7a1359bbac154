"""Reading evidence under conflict: what a question asks, which values its lines state or deny, and who is behind a line."""
