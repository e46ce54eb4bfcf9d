"""Controllers of one quadcopter, as kernels: experts of worlds and inner loops of actions."""
