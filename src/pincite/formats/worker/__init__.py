"""Reading in processes of their own, which a hostile file can at worst end."""
