"""What the pages of a table show, in the words of whoever reads them."""
