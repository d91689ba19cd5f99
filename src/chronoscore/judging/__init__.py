"""Language models as judges: questions, answers, and the endpoint that gives them."""
