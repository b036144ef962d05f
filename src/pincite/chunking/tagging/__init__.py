"""What a standard says about its own text: clauses, scope, requirements, definitions, references."""
