"""Citations as people paste, open and check them."""
