  // No further words.
