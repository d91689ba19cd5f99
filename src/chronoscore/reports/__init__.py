"""Tables, HTML reports and plots."""
