"""Read and write values as documents print them: numbers, quantities, ranges, dates, booleans."""
