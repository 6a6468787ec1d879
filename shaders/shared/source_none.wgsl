// The rows are no elements of the caller's.
