"""Dates: the calendar, written dates, and dates found in running text."""
