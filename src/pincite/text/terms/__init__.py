"""Terms of labels: words of eight languages as one vocabulary of concepts."""
