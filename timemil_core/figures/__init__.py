"""Arrays in, Plotly figures out. Nothing here computes."""
