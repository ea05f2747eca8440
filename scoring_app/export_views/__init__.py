"""Pages of files: exports, imports, and the jobs that make them."""
