"""What stores keep in memory to search: vectors and posting lists."""
