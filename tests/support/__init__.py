"""What several tests share: files made by hand, servers, clients."""
