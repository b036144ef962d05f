"""Read files in worker processes, so that a hostile file can at worst end one of them."""
