"""Our batches as other libraries want their environments: Stable-Baselines3, EnvPool, PufferLib."""
