"""What Claude asked for, and charts."""
