"""Work that is cut into numbered pieces, so that several workers do it and the same bytes come out."""
