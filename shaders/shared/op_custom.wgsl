// The operator is the user's own and stands in front of the text.
