"""The bundled demo corpus, invented for this project."""
