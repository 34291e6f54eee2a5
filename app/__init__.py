"""The Streamlit app: pages hold layout, the library holds everything else."""
