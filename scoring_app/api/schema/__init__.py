"""Bodies and answers, for reading requests and for the OpenAPI document; a module a subject."""
