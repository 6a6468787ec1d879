// The operator asks for no order.
