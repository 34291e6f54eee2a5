"""One command a claim: each prints its figures as a table and as JSON."""
