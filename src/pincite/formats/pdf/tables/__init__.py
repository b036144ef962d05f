"""Tables of an untagged page: between rules, and without."""
