"""From logs on disk to scores: plain CSV, Stable-Baselines3, TensorBoard, and the run folders of this project."""
