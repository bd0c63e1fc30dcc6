"""Two CPU devices for every test, so that what is shared among devices is tested on any machine."""

import jax

jax.config.update("jax_num_cpu_devices", 2)
