"""Cards of Meta-World's tasks."""

from envsuite.cards import EnvCard

INSTRUCTIONS = {
    "assembly": "Put the nut over the peg.",
    "basketball": "Put the ball through the hoop.",
    "bin-picking": "Carry the cube from the left bin to the right one.",
    "box-close": "Put the lid on the box.",
    "button-press-topdown": "Press the button from above.",
    "button-press-topdown-wall": "Press the button behind the wall from above.",
    "button-press": "Press the button from the front.",
    "button-press-wall": "Reach over the wall and press the button from the front.",
    "coffee-button": "Press the button of the coffee machine.",
    "coffee-pull": "Pull the mug from the coffee machine to the goal.",
    "coffee-push": "Push the mug under the coffee machine.",
    "dial-turn": "Turn the dial by half a turn.",
    "disassemble": "Take the nut off the peg.",
    "door-close": "Close the door.",
    "door-lock": "Lock the door by turning its lever down.",
    "door-open": "Open the door.",
    "door-unlock": "Unlock the door by turning its lever up.",
    "hand-insert": "Put the cube into the hole.",
    "drawer-close": "Close the drawer.",
    "drawer-open": "Open the drawer.",
    "faucet-open": "Turn the faucet's handle to the right.",
    "faucet-close": "Turn the faucet's handle to the left.",
    "hammer": "Drive the nail into the block with the hammer.",
    "handle-press-side": "Press the handle down, which points to the right.",
    "handle-press": "Press the handle down.",
    "handle-pull-side": "Pull the handle up, which points to the right.",
    "handle-pull": "Pull the handle up.",
    "lever-pull": "Pull the lever up by a quarter turn.",
    "pick-place-wall": "Carry the puck over the wall to the goal.",
    "pick-out-of-hole": "Carry the puck out of the hole to the goal.",
    "pick-place": "Carry the puck to the goal.",
    "plate-slide": "Slide the plate into the net.",
    "plate-slide-side": "Slide the plate to the left into the net.",
    "plate-slide-back": "Slide the plate out of the net towards the robot.",
    "plate-slide-back-side": "Slide the plate out of the net to the right.",
    "peg-insert-side": "Insert the peg into the hole in the side of the box.",
    "peg-unplug-side": "Pull the plug out of the wall.",
    "soccer": "Push the ball into the goal.",
    "stick-push": "Take the stick and push the thermos with it to the goal.",
    "stick-pull": "Take the stick, put it through the thermos's handle and pull the thermos to the goal.",
    "push": "Push the puck to the goal.",
    "push-wall": "Push the puck around the wall to the goal.",
    "push-back": "Pull the block towards the robot to the goal.",
    "reach": "Reach the goal with the hand.",
    "reach-wall": "Reach over the wall to the goal with the hand.",
    "shelf-place": "Put the block on the shelf.",
    "sweep-into": "Push the cube into the hole.",
    "sweep": "Push the cube to the right to the goal.",
    "window-open": "Open the window by sliding it to the right.",
    "window-close": "Close the window by sliding it to the left.",
}
"""What to do in each task, by the original's names, in the order of MT50."""

SOURCE = (
    "Yu et al. (2019), Meta-World: A Benchmark and Evaluation for Multi-Task and Meta Reinforcement Learning, arXiv "
    "1910.10897; McLean et al. (2025), Meta-World+, arXiv 2505.11289 (metaworld 3.1.1)"
)


def _card(task: str) -> EnvCard:
    return EnvCard(
        id=f"envsuite/Meta{task.title().replace('-', '')}-v0",
        world="envsuite.manipulation.meta.world:MetaWorld",
        family="manipulation",
        summary=INSTRUCTIONS[task],
        source=SOURCE,
        horizon=500,
        options={"task": task},
        tags=("manipulation", "Meta-World", "continuous actions", "rigid bodies", "contacts", "goal"),
    )


CARDS = tuple(_card(task) for task in INSTRUCTIONS)
