"""Small datasets to learn from."""

import pytest


@pytest.fixture(scope="session")
def datasets(tmp_path_factory):
    """A store with ``small/glider-v0`` (random, noisy, expert) and ``small/reach-v0`` (random, noisy)."""
    pytest.importorskip("torch")
    from envsuite.data import Recipe, generate
    from envsuite.data.noise import Noise
    from envsuite.data.recipes import Component, Small

    from .worlds import small

    root = tmp_path_factory.mktemp("datasets")
    mixed = (Component("random"), Component("expert", noise=Noise("gaussian", 0.5)), Component("expert"))
    for name, task, policies in (
        ("glider", "Glider", mixed),
        ("reach", "Reach", (Component("random"), Component("expert", noise=Noise("gaussian", 0.5)))),
    ):
        some = {"schema": 1, "id": f"small/{name}-v0", "title": "", "summary": "", "tier": "mixed", "behaviour": ""}
        recipe = Recipe(
            **some,
            env_id=small(task),
            first_seed=5,
            policies=policies,
            licence="",
            citation="",
            small=Small(1, ""),
            episodes=60,
        )
        generate(recipe, root)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ENVSUITE_DATASETS", str(root))
        yield root
