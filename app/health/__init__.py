"""How each part is, what helps, and what to send to somebody who is asked for help."""
