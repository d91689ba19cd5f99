"""The parts of `text.dates`: words into classes, classes into forms, forms into dates."""
