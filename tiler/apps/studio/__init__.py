"""The studio: a page in the browser with the whole engine behind it. `engine` answers messages, and knows nothing of HTTP."""
