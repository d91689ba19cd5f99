"""Doing: each function checks that something is allowed and makes sense, then logs it."""
