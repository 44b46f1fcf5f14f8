"""Bringing memories in, and letting them go."""

from worker.shared.left_out import stand_in

stand_in("requests")  # by which detect-secrets would ask a service whether a key it finds is valid
