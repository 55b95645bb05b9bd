"""For editors: what a program that shows game files to people asks of them."""
