// Nothing goes to rows of the caller's.
