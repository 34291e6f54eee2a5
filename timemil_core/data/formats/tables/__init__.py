"""Text tables (CSV, TSV, TXT), and whatever can be written out as one: long, wide and melted."""
