"""Quadcopters: vehicles, rigid-body dynamics and controllers, and the worlds that fly them.

Conventions of the whole family: SI units, angles in radians; world frame with z up; body frame x forward, y
left, z up; attitude quaternions scalar first (w, x, y, z), mapping body to world; angular velocity ("rates")
in the body frame. Rotor commands are in the vehicle's own unit (RPM, or throttle from 0 to 1), which its
thrust curve expects.
"""
