"""pgx at work, as a contestant: `pgx_steps.py GAME COUNT SEED` steps 1,024 plays at once, actions drawn among the legal
ones. What it takes to compile is no work."""

import json
import sys
from time import process_time

import jax
import jax.numpy as jnp
import pgx
from pgx.experimental.wrappers import auto_reset

PLAYS = 1024
CALL = 100  # steps, so that calls cost little


def main(name, count, seed):
    env = pgx.make(name)
    step = jax.vmap(auto_reset(env.step, env.init))

    def one(state, key):
        drawn, chance = jax.random.split(key)
        actions = jax.random.categorical(drawn, jnp.log(state.legal_action_mask.astype(jnp.float32)), axis=-1)
        return step(state, actions, jax.random.split(chance, PLAYS)), None

    many = jax.jit(lambda state, key: jax.lax.scan(one, state, jax.random.split(key, CALL))[0])
    key = jax.random.PRNGKey(int(seed))
    state = jax.jit(jax.vmap(env.init))(jax.random.split(key, PLAYS))
    for _ in range(2):  # the second time for the types that the first has given
        state = jax.block_until_ready(many(state, key))
    began, done = process_time(), 0
    while done < int(count):
        key, own = jax.random.split(key)
        state = jax.block_until_ready(many(state, own))
        done += CALL * PLAYS
    return {"units": done, "seconds": process_time() - began}


if __name__ == "__main__":
    print(json.dumps(main(*sys.argv[1:])))
