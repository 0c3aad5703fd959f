"""What commands share: arguments, output, pictures, counters."""
