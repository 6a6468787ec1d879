// The operator has an instruction of its own.
