"""Score runs against a collection: collection x runs x measures -> Scores."""
