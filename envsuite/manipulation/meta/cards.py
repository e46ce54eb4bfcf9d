"""Cards of Meta-World's tasks."""

from envsuite.cards import EnvCard, Score

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

EPISODES = 100
_MEASURED: dict[str, tuple[tuple[float, float], tuple[float, float], str]] = {
    "assembly": ((223.9058, 3.0145), (4341.2978, 2.4863), "0d8c11ba7e99fe88"),
    "basketball": ((9.5931, 0.3568), (4203.6267, 70.9706), "a27751efd5fa8426"),
    "bin-picking": ((9.2623, 0.3494), (4058.9744, 11.9893), "8b97ff2b73e1e2fe"),
    "box-close": ((316.0111, 5.2243), (4161.8268, 54.6183), "a055caa69f709018"),
    "button-press-topdown": ((194.7377, 4.336), (3790.5566, 2.1026), "52f6efa2238605f1"),
    "button-press-topdown-wall": ((297.9961, 5.2167), (2920.7224, 1.4738), "0689e983c8ac9bce"),
    "button-press": ((175.9644, 6.0548), (3052.5521, 1.054), "b1f50e7630e278fc"),
    "button-press-wall": ((63.115, 2.449), (4308.9694, 7.8543), "34afb0e1ec8b5d41"),
    "coffee-button": ((178.0446, 8.6042), (2230.8441, 6.5435), "74737f2958a13736"),
    "coffee-pull": ((21.9093, 0.4493), (4372.1351, 2.1244), "2cdf306c99566482"),
    "coffee-push": ((21.6313, 0.8251), (4489.3331, 1.479), "ff48b0a38a8f850c"),
    "dial-turn": ((105.3427, 9.4073), (3975.0317, 18.9078), "d8221599a6779ef0"),
    "disassemble": ((210.9266, 1.0356), (3932.589, 4.5348), "eddc66ce77f1ed64"),
    "door-close": ((7.3946, 0.8501), (3976.9508, 43.671), "594e045c9c51ae2e"),
    "door-lock": ((538.7695, 11.986), (3487.0103, 3.1352), "cef6f73db1e98be8"),
    "door-open": ((298.6171, 9.9157), (4379.3279, 50.8952), "139fcf0c28c05b5e"),
    "door-unlock": ((473.9529, 14.8144), (4429.9332, 8.3216), "b86b96106b0277dc"),
    "hand-insert": ((11.7086, 1.3823), (4615.7046, 2.829), "7bf37dad65c4665f"),
    "drawer-close": ((674.3216, 139.2116), (4270.1225, 2.025), "c98c08eb4e43b60c"),
    "drawer-open": ((604.9862, 17.7773), (4023.9281, 3.8777), "2e683baa7c679e80"),
    "faucet-open": ((1250.5963, 18.906), (4321.9589, 7.8347), "200d4ca8a1d37262"),
    "faucet-close": ((1286.6544, 21.2584), (4331.7532, 8.9196), "636e6bad26abdb1c"),
    "hammer": ((472.0254, 6.063), (2949.2629, 117.5104), "e8089f9a33c120b6"),
    "handle-press-side": ((260.4172, 32.4388), (4645.4443, 8.8628), "d0b899e12e39dee9"),
    "handle-press": ((616.4485, 119.7631), (4724.8059, 8.4013), "d98d410b1bae6d19"),
    "handle-pull-side": ((10.3773, 0.5908), (2941.6215, 24.4758), "ab7d4a482946bb68"),
    "handle-pull": ((37.5805, 3.5843), (4101.1824, 9.6477), "a496843c01359f90"),
    "lever-pull": ((256.0602, 11.3672), (3049.6147, 92.2284), "235ecedcfcaa3717"),
    "pick-place-wall": ((0.0079, 0.0079), (4421.3943, 10.6702), "94269abb10442c54"),
    "pick-out-of-hole": ((6.7967, 0.1864), (3586.3055, 15.4222), "edb0f4e6d536a0a5"),
    "pick-place": ((6.5616, 0.3437), (4545.2471, 3.2547), "e6399ff94bcc2f55"),
    "plate-slide": ((322.3564, 24.2053), (4641.927, 1.0278), "4cb7705bf0467695"),
    "plate-slide-side": ((101.0548, 11.9461), (4548.2959, 20.2049), "d0d3fe0f1282f2e6"),
    "plate-slide-back": ((148.1157, 8.4683), (4643.8642, 4.5705), "ff656a05d9013a4c"),
    "plate-slide-back-side": ((164.756, 10.5253), (4666.0836, 3.4238), "bcd4500def878887"),
    "peg-insert-side": ((7.9859, 0.3081), (4312.0254, 14.7907), "12ada032ccf1612d"),
    "peg-unplug-side": ((21.8126, 1.8458), (3381.0467, 92.9756), "40557881956dcef3"),
    "soccer": ((51.1409, 18.4352), (3020.4616, 105.2925), "72a91ca5ca998417"),
    "stick-push": ((11.7195, 0.6726), (4452.2172, 2.7216), "401fea6ab89e8e2f"),
    "stick-pull": ((12.1505, 0.595), (2741.1317, 182.8994), "535b453baa932f49"),
    "push": ((24.4041, 1.5041), (4565.7904, 5.1654), "c1f508e9bbb29b47"),
    "push-wall": ((27.1795, 2.6772), (4458.4805, 5.5651), "702c6034a41a4369"),
    "push-back": ((5.9073, 0.3355), (4306.8641, 3.6836), "4df22cdccb1149c9"),
    "reach": ((665.6636, 30.7875), (4849.3402, 2.0331), "095e91e1ecbb8488"),
    "reach-wall": ((654.2265, 27.9895), (4822.5269, 2.8951), "a5921563cfe74fe8"),
    "shelf-place": ((0.0042, 0.0042), (3102.5803, 67.2404), "67167a9685d46c12"),
    "sweep-into": ((50.5225, 3.9372), (4155.3818, 120.6991), "da8b6c1d1fce2b7f"),
    "sweep": ((46.4427, 2.4661), (4416.1984, 7.2652), "27f5d6cc3793c50b"),
    "window-open": ((241.3117, 20.8852), (1894.4602, 36.2677), "e4e8a04ba7012b22"),
    "window-close": ((302.0604, 8.4633), (3554.4036, 10.6941), "99597aa369ae7439"),
}
"""Mean return and its standard error over `EPISODES` of random play and of the reference player; behaviour hash."""

_UNRANKED = {
    "drawer-close": "one constant action closes the drawer sooner than the reference",
    "door-close": "one constant action goes nine tenths of the way to the reference",
}
"""Why scores tell methods apart by little."""

SOURCE = (
    "Yu et al. (2019), Meta-World: A Benchmark and Evaluation for Multi-Task and Meta Reinforcement Learning, arXiv "
    "1910.10897; McLean et al. (2025), Meta-World+, arXiv 2505.11289 (metaworld 3.1.1)"
)


def _card(task: str) -> EnvCard:
    random, expert, behaviour = _MEASURED[task]
    return EnvCard(
        id=f"envsuite/Meta{task.title().replace('-', '')}-v0",
        world="envsuite.manipulation.meta.world:MetaWorld",
        family="manipulation",
        summary=INSTRUCTIONS[task],
        source=SOURCE,
        horizon=500,
        options={"task": task},
        tags=("manipulation", "Meta-World", "continuous actions", "rigid bodies", "contacts", "goal"),
        random=Score(*random, EPISODES, "uniformly random"),
        expert=Score(*expert, EPISODES, "scripted player"),
        unranked=_UNRANKED.get(task, ""),
        behaviour=behaviour,
    )


CARDS = tuple(_card(task) for task in INSTRUCTIONS)
