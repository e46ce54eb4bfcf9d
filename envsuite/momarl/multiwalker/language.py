"""Multiwalker in words."""

from envsuite.core.companions import Words
from envsuite.momarl.multiwalker.params import CARRIERS, PACKAGE, RANGE
from envsuite.momarl.multiwalker.senses import beam, joint
from envsuite.momarl.multiwalker.state import PARTS

_FALL = {
    True: "The episode ends for all when a walker or the package falls",
    False: "It ends for all when the package falls",
}


class MultiwalkerWords(Words):
    """What a walker feels and sees; answers are torques."""

    def describe(self, state, agent=0):
        """What a walker feels and sees."""
        p, count = self.world.params[0], len(self.world.agents)
        if state["gone"][agent]:
            return "You have fallen and take no further part."
        hull, box = state["body"][PARTS * agent], state["body"][-1]
        legs = []
        for leg in range(2):
            (hip, hip_speed), (knee, knee_speed) = joint(state, agent, 2 * leg), joint(state, agent, 2 * leg + 1)
            legs.append(
                f"leg {leg + 1}: hip at {hip:.2f} rad turning at {hip_speed:.2f} rad/s, knee at {knee:.2f} rad turning "
                f"at {knee_speed:.2f} rad/s, {'touching the ground' if state['touch'][agent, leg] else 'in the air'}"
            )
        others = "; ".join(
            f"walker {n} {float(state['body'][PARTS * n, 0] - hull[0]):+.2f} m ahead and "
            f"{float(state['body'][PARTS * n, 1] - hull[1]):+.2f} m up"
            for n in (agent - 1, agent + 1)
            if 0 <= n < count and not state["gone"][n]
        )
        down, ahead = (RANGE * beam(state, agent, *way) for way in ((0.0, -RANGE), (RANGE * 0.9757, -RANGE * 0.2190)))
        return (
            f"You are walker {agent} of {count}, numbered from the rear, and carry a package of "
            f"{PACKAGE[0] * count / CARRIERS:.1f} m together. Your hull leans by {float(hull[2]):.3f} rad, turns at "
            f"{float(hull[5]):.3f} rad/s and moves at {float(hull[3]):.2f} m/s ahead and {float(hull[4]):.2f} m/s up. "
            f"Your {legs[0]}; {legs[1]}. The first thing below you is {down:.2f} m away, the first almost straight "
            f"ahead {ahead:.2f} m. {others + '. ' if others else ''}The package's middle is "
            f"{float(box[0] - hull[0]):+.2f} m ahead of you and {float(box[1] - hull[1]):+.2f} m up, and leans by "
            f"{float(box[2]):.3f} rad. You are paid for carrying it ahead and lose what it tilts. "
            f"{_FALL[bool(p['terminate_on_fall'])]}. Answer with four numbers from -1 to 1 in brackets, the torques of "
            "hip 1, knee 1, hip 2 and knee 2, in units of 80 N m."
        )
