"""What a person is told without having asked."""
