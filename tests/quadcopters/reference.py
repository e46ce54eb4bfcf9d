"""Independent double-precision models, written with matrices and SciPy, to judge the kernels by."""

import numpy as np
from scipy.spatial.transform import Rotation

from envsuite.quadcopters import params, state


def cross_matrix(v):
    return np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])


def rotor_positions(vehicle):
    return np.column_stack([np.array(vehicle.rotors), np.zeros(4)])


def rotor_thrusts(vehicle, speeds):
    return np.polynomial.polynomial.polyval(np.asarray(speeds, float), vehicle.thrust_curve)


# --- Learning to Fly in Seconds: one flat vector, p 0:3, q 3:7, v 7:10, w 10:13, rotors 13:17


def l2f_derivative(x, vehicle, command, force, torque):
    q, v, w, speeds = x[3:7], x[7:10], x[10:13], x[13:17]
    inertia = np.diag(vehicle.inertia)
    thrusts = rotor_thrusts(vehicle, speeds)
    pushes = np.outer(thrusts, [0, 0, 1])
    moment = np.cross(rotor_positions(vehicle), pushes).sum(axis=0)
    moment[2] += vehicle.torque_per_thrust * np.dot(vehicle.spin, thrusts)
    skew = cross_matrix(q[1:])
    rotation = np.eye(3) + 2 * q[0] * skew + 2 * skew @ skew
    spin = np.zeros((4, 4))
    spin[0, 1:], spin[1:, 0], spin[1:, 1:] = -w, w, -cross_matrix(w)
    lag = np.where(command >= speeds, vehicle.motor_rise, vehicle.motor_fall)
    return np.concatenate(
        [
            v,
            0.5 * spin @ q,
            rotation @ pushes.sum(axis=0) / vehicle.mass + [0, 0, -vehicle.gravity] + force / vehicle.mass,
            np.linalg.solve(inertia, moment + torque - np.cross(w, inertia @ w)),
            (command - speeds) / lag,
        ]
    )


def l2f_step(x, vehicle, command, force, torque, dt):
    def slope(y):
        return l2f_derivative(y, vehicle, command, force, torque)

    k1 = slope(x)
    k2 = slope(x + dt / 2 * k1)
    k3 = slope(x + dt / 2 * k2)
    k4 = slope(x + dt * k3)
    x = x + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    x[3:7] /= np.linalg.norm(x[3:7])
    x[13:] = np.clip(x[13:], 0, vehicle.command_high)
    return x


def flat(body):
    return np.concatenate([body.position, body.attitude, body.velocity, body.rates, body.rotor_speed])


def l2f_starts(count, seed, name="l2f_cf2023", real=np.float64):
    """The start distribution of Learning to Fly in Seconds, drawn with NumPy."""
    generator = np.random.default_rng(seed)
    vehicle = params.find_vehicle(name)
    weight = vehicle.mass * vehicle.gravity
    bodies = np.zeros(count, state.DisturbedBody.dtype(real)).view(np.recarray)
    bodies.position[:] = generator.uniform(-0.2, 0.2, (count, 3))
    rotations = Rotation.from_quat(generator.normal(size=(8 * count, 4)))
    rotations = rotations[rotations.magnitude() <= np.pi / 2][:count]
    bodies.attitude[:] = rotations.as_quat()[:, [3, 0, 1, 2]]
    guided = generator.random(count) < 0.1
    bodies.position[guided] = 0
    bodies.attitude[guided] = (1, 0, 0, 0)
    bodies.velocity[:] = generator.uniform(-1, 1, (count, 3))
    bodies.rates[:] = generator.uniform(-1, 1, (count, 3))
    bodies.rotor_speed[:] = vehicle.command_high / 2
    bodies.force[:] = generator.normal(0, weight / 20, (count, 3))
    bodies.torque[:] = generator.normal(0, weight / 10000, (count, 3))
    return bodies


# --- gym-pybullet-drones, with rotation matrices and angular velocities in the world frame


class BulletReference:
    def __init__(self, mode, name, positions, timestep=1 / 240):
        self.mode, self.vehicle, self.dt = mode, params.find_vehicle(name), timestep
        count = len(positions)
        self.p = np.array(positions, float)
        self.rotation = Rotation.identity(count)
        self.lagged = Rotation.identity(count)
        self.v = np.zeros((count, 3))
        self.w = np.zeros((count, 3))
        self.rpm = np.zeros((count, 4))

    def step(self, rpm):
        pulls = [self._forces(n, rpm[n]) for n in range(len(self.p))]
        inertia = np.diag(self.vehicle.inertia)
        turned = []
        for n, (force, moment) in enumerate(pulls):
            r = self.rotation[n].as_matrix()
            body_rates = r.T @ self.w[n]
            angular = np.linalg.solve(inertia, moment - np.cross(body_rates, inertia @ body_rates))
            damping = float(np.float32(0.04))
            angular -= damping * body_rates * (1 + np.linalg.norm(body_rates))
            linear = force / self.vehicle.mass - [0, 0, self.vehicle.gravity]
            linear -= damping * self.v[n] * (1 + np.linalg.norm(self.v[n]))
            self.v[n] += self.dt * linear
            self.w[n] += self.dt * r @ angular
            self.p[n] += self.dt * self.v[n]
            turned.append(Rotation.from_rotvec(self.w[n] * self.dt) * self.rotation[n])
        self.lagged, self.rotation = self.rotation, Rotation.concatenate(turned)
        self.rpm = np.array(rpm)

    def _forces(self, n, rpm):
        vehicle = self.vehicle
        now, before = self.rotation[n].as_matrix(), self.lagged[n].as_matrix()
        thrusts = vehicle.thrust_curve[2] * rpm**2
        lag = now.T @ before
        arms = rotor_positions(vehicle)
        moment = lag @ [0, 0, vehicle.torque_per_thrust * np.dot(vehicle.spin, thrusts)]
        moment = moment + sum(np.cross(arms[i], lag @ [0, 0, thrusts[i]]) for i in range(4))
        force = before @ [0, 0, thrusts.sum()]
        if "gnd" in self.mode:
            extra = self._ground_effect(n, thrusts, arms, now)
            moment = moment + sum(np.cross(arms[i], [0, 0, extra[i]]) for i in range(4))
            force = force + now @ [0, 0, extra.sum()]
        link = now if "gnd" in self.mode else before
        if "drag" in self.mode:
            turns = np.sum(2 * np.pi * self.rpm[n] / 60)
            force = force + link @ now.T @ (-np.array(vehicle.drag) * self.v[n] * turns)
        if "dw" in self.mode:
            force = force + link @ [0, 0, -self._downwash(n)]
        return force, moment

    def _ground_effect(self, n, thrusts, arms, now):
        vehicle = self.vehicle
        clip = 0.25 * vehicle.propeller_radius * np.sqrt(15 * vehicle.ground_effect / 4)
        heights = np.maximum(clip, [self.p[n, 2] + (now @ arm)[2] for arm in arms])
        _, pitch, roll = Rotation.from_matrix(now).as_euler("ZYX")
        if abs(roll) >= np.pi / 2 or abs(pitch) >= np.pi / 2:
            return np.zeros(4)
        return thrusts * vehicle.ground_effect * (vehicle.propeller_radius / (4 * heights)) ** 2

    def _downwash(self, n):
        c1, c2, c3 = self.vehicle.downwash
        total = 0.0
        for other in np.delete(self.p, n, axis=0):
            gap, distance = other[2] - self.p[n, 2], np.linalg.norm((other - self.p[n])[:2])
            if gap > 0 and distance < 10:
                alpha = c1 * (self.vehicle.propeller_radius / (4 * gap)) ** 2
                total += alpha * np.exp(-(distance**2) / (2 * (c2 * gap + c3) ** 2))
        return total


class PidReference:
    """The DSL PID controller of gym-pybullet-drones for the X layout."""

    MIXER = np.array([[-0.5, -0.5, -1], [-0.5, 0.5, 1], [0.5, 0.5, -1], [0.5, -0.5, 1]])

    def __init__(self):
        self.euler, self.position_sum, self.attitude_sum = np.zeros(3), np.zeros(3), np.zeros(3)

    def __call__(self, position, rotation, velocity, goal, goal_velocity, yaw, dt):
        """Rotor speeds in RPM."""
        r = rotation.as_matrix()
        error = goal - position
        self.position_sum = np.clip(self.position_sum + error * dt, [-2, -2, -0.15], [2, 2, 0.15])
        force = np.array([0.4, 0.4, 1.25]) * error + 0.05 * self.position_sum
        force += np.array([0.2, 0.2, 0.5]) * (goal_velocity - velocity) + [0, 0, 0.027 * 9.8]
        pwm = (np.sqrt(max(0.0, force @ r[:, 2]) / (4 * 3.16e-10)) - 4070.3) / 0.2685
        z = force / np.linalg.norm(force)
        y = np.cross(z, [np.cos(yaw), np.sin(yaw), 0])
        y /= np.linalg.norm(y)
        wanted = np.column_stack([np.cross(y, z), y, z])
        skew = wanted.T @ r - r.T @ wanted
        attitude_error = np.array([skew[2, 1], skew[0, 2], skew[1, 0]])
        euler = rotation.as_euler("ZYX")[::-1]
        rate_error = -(euler - self.euler) / dt
        self.euler = euler
        self.attitude_sum = np.clip(self.attitude_sum - attitude_error * dt, [-1, -1, -1500], [1, 1, 1500])
        torque = -np.array([7e4, 7e4, 6e4]) * attitude_error + np.array([2e4, 2e4, 1.2e4]) * rate_error
        torque = np.clip(torque + np.array([0, 0, 500]) * self.attitude_sum, -3200, 3200)
        return 0.2685 * np.clip(pwm + self.MIXER @ torque, 20000, 65535) + 4070.3
