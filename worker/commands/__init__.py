"""The commands of `memtray-worker`, one module a group; each loads what it needs when it runs."""
