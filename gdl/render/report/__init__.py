"""The report that plays between agents make: as text, as JSON, as a page."""
