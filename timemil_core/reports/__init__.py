"""What is taken away: a page that opens offline, with its numbers, and the script that makes them again."""
