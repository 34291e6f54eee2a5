"""What a map is worth: removal and restoring against the same map at other places, and against other series' maps."""
