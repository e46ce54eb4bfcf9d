"""Each task in several sentences, for agents that are told what to do."""

from envsuite.manipulation.meta.cards import INSTRUCTIONS

_OTHERS: dict[str, tuple[str, str, str]] = {
    "assembly": (
        "Lift the nut by its handle and drop its ring on the peg.",
        "The ring has to go around the upright peg.",
        "Take hold of the nut, bring its ring above the peg and lower it.",
    ),
    "basketball": (
        "Dunk the ball.",
        "Carry the ball above the ring of the hoop and let it fall through.",
        "The ball belongs in the basket: score.",
    ),
    "bin-picking": (
        "Move the cube over into the other bin.",
        "Pick the cube up from the bin on the left, and lay it into the bin on the right.",
        "The cube has to change bins, from left to right.",
    ),
    "box-close": (
        "Close the box with its lid.",
        "Pick up the lid by its bar and lay it on top of the open box.",
        "The box stands open: cover it.",
    ),
    "button-press-topdown": (
        "Push the button down.",
        "Come from above and press the button all the way in.",
        "The button on top of the housing must go down.",
    ),
    "button-press-topdown-wall": (
        "Push the button down, minding the wall in front of it.",
        "Go over the wall and press the button on top of the housing.",
        "A button waits behind the wall; from above, press it in.",
    ),
    "button-press": (
        "Push the button into the housing, away from the robot.",
        "The button faces you: press it all the way in.",
        "Go in front of the button and push forward.",
    ),
    "button-press-wall": (
        "Push the button that is hidden behind the wall.",
        "Pass the wall from above, then press the button away from the robot.",
        "A wall stands before the button; get over it, and press the button in.",
    ),
    "coffee-button": (
        "Switch the coffee machine on.",
        "Make coffee: push the button on the front of the machine.",
        "The machine starts once its button is pressed in; do that.",
    ),
    "coffee-pull": (
        "Take the mug away from the coffee machine and bring it to the goal.",
        "The coffee is ready: draw the mug towards the robot, to the goal.",
        "Slide the mug from under the machine as far as the goal.",
    ),
    "coffee-push": (
        "Put the mug where the coffee runs out of the machine.",
        "Slide the mug away from the robot until it stands under the spout.",
        "The coffee machine needs a mug below it: bring it there.",
    ),
    "dial-turn": (
        "Rotate the dial by 180 degrees.",
        "Push the dial's handle around until it points the other way.",
        "The dial must make half a revolution.",
    ),
    "disassemble": (
        "Lift the nut from the peg.",
        "Pull the ring up until the peg no longer holds it.",
        "Free the nut: grasp its handle and raise it off the peg.",
    ),
    "door-close": (
        "Push the door shut.",
        "The door stands open; swing it back into its frame.",
        "Shut the door.",
    ),
    "door-lock": (
        "Turn the lever of the lock downwards.",
        "Lock up: the lever on the door has to point down.",
        "Rotate the door's lever clockwise by a quarter turn, so that the door is locked.",
    ),
    "door-open": (
        "Pull the door open by its handle.",
        "Swing the door out of its frame.",
        "The door is shut; get behind its handle and open it.",
    ),
    "door-unlock": (
        "Turn the lever of the lock upwards.",
        "The door is locked: raise its lever to free it.",
        "Rotate the door's lever back to level, so that the door is unlocked.",
    ),
    "hand-insert": (
        "Drop the cube in the hole of the table.",
        "Take the cube and lower it into the pit.",
        "The cube has to end up inside the hole; hold it and bring it there.",
    ),
    "drawer-close": (
        "Push the drawer in.",
        "Shut the drawer.",
        "The drawer stands out of its case; slide it back.",
    ),
    "drawer-open": (
        "Pull the drawer out.",
        "Draw the drawer towards the robot by its handle.",
        "Slide the drawer out of its case.",
    ),
    "faucet-open": (
        "Open the tap by pushing its handle to the right.",
        "Let the water run: swing the handle of the faucet rightwards.",
        "Rotate the faucet's handle counterclockwise, as seen from above.",
    ),
    "faucet-close": (
        "Close the tap by pushing its handle to the left.",
        "Stop the water: swing the handle of the faucet leftwards.",
        "Rotate the faucet's handle clockwise, as seen from above.",
    ),
    "hammer": (
        "Pick up the hammer and hit the nail in.",
        "Use the hammer to sink the nail.",
        "The nail sticks out of the block; with the hammer, drive it home.",
    ),
    "handle-press-side": (
        "Push down the handle that sticks out to the right.",
        "From above, press the sideways handle as low as it goes.",
        "Lower the handle on the right of its stand.",
    ),
    "handle-press": (
        "Push the handle as low as it goes.",
        "Lower the handle that points towards the robot.",
        "From above, bring the handle down.",
    ),
    "handle-pull-side": (
        "Raise the handle that sticks out to the right.",
        "Grip the sideways handle and lift it to its upper end.",
        "The handle on the right of its stand is down; bring it up.",
    ),
    "handle-pull": (
        "Raise the handle to its upper end.",
        "Reach under the handle that points towards the robot, and lift it.",
        "The handle is down; bring it up.",
    ),
    "lever-pull": (
        "Raise the lever until it points straight up.",
        "Lift the lever's knob from below, through 90 degrees.",
        "Swing the lever up.",
    ),
    "pick-place-wall": (
        "Lift the puck across the wall and hold it at the goal.",
        "Grasp the puck, rise above the wall, and bring it to the goal behind.",
        "The goal lies beyond the wall; take the puck there through the air.",
    ),
    "pick-out-of-hole": (
        "Lift the puck from the hole and hold it at the goal.",
        "The puck lies in a pit: fetch it, and bring it to the goal.",
        "Reach into the hole, grasp the puck, take it up to the goal.",
    ),
    "pick-place": (
        "Pick up the puck and hold it at the goal.",
        "Grasp the puck and lift it to the goal.",
        "The puck has to be where the goal is, in the air; bring it there.",
    ),
    "plate-slide": (
        "Shove the plate across the table into the net.",
        "The plate belongs in the net: push it away from the robot.",
        "Push the plate forward until it lies between the sides of the net.",
    ),
    "plate-slide-side": (
        "Shove the plate sideways into the net on the left.",
        "The plate belongs in the net: push it to the left.",
        "Bring the plate into the net that opens to the right.",
    ),
    "plate-slide-back": (
        "Get the plate out of the net by drawing it towards the robot.",
        "The plate lies in the net; pull it back to the goal.",
        "Bring the plate back from the net.",
    ),
    "plate-slide-back-side": (
        "Get the plate out of the net by drawing it to the right.",
        "The plate lies in the net on the left; take it out sideways, to the goal.",
        "Move the plate to the right until it has left the net.",
    ),
    "peg-insert-side": (
        "Push the peg sideways into the hole.",
        "Grasp the peg, line it up with the hole in the box, and push it in to the left.",
        "The peg fits the hole on the right of the box: put it in.",
    ),
    "peg-unplug-side": (
        "Unplug the plug.",
        "Draw the plug to the right until it is out of its socket.",
        "The plug sits in the wall; take hold of it and pull it out.",
    ),
    "soccer": (
        "Score: get the ball between the posts.",
        "Roll the ball into the net.",
        "The ball has to end up in the goal; push it there.",
    ),
    "stick-push": (
        "Use the stick to push the thermos to the right as far as the goal.",
        "Grasp the stick and shove the thermos with its end to the goal.",
        "The thermos has to move to the goal, but only the stick may touch it.",
    ),
    "stick-pull": (
        "Hook the thermos with the stick and drag it to the goal.",
        "Use the stick: slip it into the handle of the thermos, and draw the thermos to the goal.",
        "The thermos has to come to the goal; the stick, put through its handle, is the hook.",
    ),
    "push": (
        "Slide the puck over the table to the goal.",
        "Get the puck to the goal without lifting it.",
        "The puck has to lie at the goal: push it there.",
    ),
    "push-wall": (
        "Slide the puck past the wall to the goal.",
        "The goal lies behind the wall; push the puck beside it and then on.",
        "Get the puck to the goal along the table, around the wall.",
    ),
    "push-back": (
        "Bring the block back to the goal, towards the robot.",
        "Drag the block over the table to the goal in front of you.",
        "The block lies too far away; draw it near, to the goal.",
    ),
    "reach": (
        "Move the fingertips to the goal.",
        "Bring the hand to where the goal is.",
        "Touch the goal; leave the puck alone.",
    ),
    "reach-wall": (
        "Move the fingertips to the goal behind the wall.",
        "Bring the hand over the wall, to where the goal is.",
        "The goal is beyond the wall; touch it.",
    ),
    "shelf-place": (
        "Lift the block onto the middle board of the shelf.",
        "Pick up the block and set it down on the shelf.",
        "The block belongs on the shelf: take it there.",
    ),
    "sweep-into": (
        "Sweep the cube into the hole.",
        "Slide the cube over the table until it drops into the pit.",
        "The cube belongs in the hole: move it along the table.",
    ),
    "sweep": (
        "Sweep the cube off to the right, as far as the goal.",
        "Slide the cube along the table to the goal at the right.",
        "The goal lies to the right of the cube; bring the cube there.",
    ),
    "window-open": (
        "Slide the window open.",
        "Push the window's handle to the right, as far as it goes.",
        "The window is shut; move its pane to the right.",
    ),
    "window-close": (
        "Slide the window shut.",
        "Push the window's handle to the left, as far as it goes.",
        "The window stands open; move its pane to the left.",
    ),
}

WORDINGS: dict[str, tuple[str, ...]] = {task: (said, *_OTHERS[task]) for task, said in INSTRUCTIONS.items()}
"""Sentences for each task; the first is the card's."""

COUNT = 4
"""How many each task has."""

NOUNS = {
    **{(scene, "block"): "cube" for scene in ("bins", "light_block", "sweep")},
    **{(scene, "puck"): "plate" for scene in ("plate", "plate_side")},
    **{(scene, "pane"): "handle" for scene in ("window",)},
    **{("dial", "knob"): "dial", ("lock", "lock"): "lever"},
}
"""What sentences call a body, by scene and body, where it is not the body's name."""
