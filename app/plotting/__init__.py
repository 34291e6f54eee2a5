"""The chart element of all pages: a Plotly figure that the browser updates in place."""
