"""MiniRocket (Dempster, Schmidt and Webb 2021) as a network whose logits add up over time points, exactly."""
