// The rows have no flags.
