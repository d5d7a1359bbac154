"""Pure helpers of verification: what the passages say about the words of an answer."""
