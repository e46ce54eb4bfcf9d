"""The Industrial Benchmark written once more, slowly, from its description; random numbers come from outside."""

import numpy as np

S = np.sin(np.pi / 12)


class Reference:
    """One plant. `draws` has the methods exponential, uniform, bernoulli and normal, and integer."""

    def __init__(self, draws, setpoint=70.0, moving=False):
        self.d, self.p, self.moving = draws, setpoint, moving
        self.v = self.g = self.h = 50.0
        self.hv = self.hg = 0.0
        self.domain, self.response, self.phi = 1, 1, 0
        self.o = None
        if moving:
            self.new_drift()
        self.step(0, 0, 0)

    def new_drift(self):
        self.left = 1 + self.d.integer(99)
        self.drift = 2 * self.d.uniform() - 1
        if self.d.uniform() < 0.1:
            self.drift = 0.0

    def step(self, dv, dg, dh):
        if self.moving:
            if self.left == 0:
                self.new_drift()
            wanted = self.p + self.drift
            if not 0 <= wanted <= 100 and self.d.uniform() > 0.5:
                self.drift *= -1
            self.p, self.left = min(max(wanted, 0), 100), self.left - 1
        self.v = np.clip(self.v + dv, 0, 100)
        self.g = np.clip(self.g + 10 * dg, 0, 100)
        self.h = np.clip(self.h + S / 0.9 * 100 / 5 * dh, 0, 100)
        self.he = np.clip(5 * self.h / 100 - 0.02 * self.p - 1.5, -1.5, 1.5)
        self.wear()
        now = np.exp((2 * self.p + 4 * self.v + 2.5 * self.g) / 100)
        self.o = [now] * 10 if self.o is None else [*self.o[1:], now]
        oc = np.dot(self.o[:5], [0.11111, 0.22222, 0.33333, 0.22222, 0.11111])
        self.goldstone()
        mc = -potential(self.phi, self.he)
        e = oc - 25 * (mc - 1)
        self.c = e - self.d.normal() * (1 + 0.005 * e)
        self.cost = 3 * self.f + self.c

    def wear(self):
        def raw_v(v, g):
            return (g + 1 + self.p + 1) / (v + 101 - self.p)

        def raw_g(g):
            return 1 / (g + 1 + self.p)

        ve = (raw_v(self.v, self.g) - raw_v(100, 0)) / (raw_v(0, 100) - raw_v(100, 0))
        ge = (raw_g(self.g) - raw_g(100)) / (raw_g(0) - raw_g(100))
        exps = {"g": self.d.exponential(0.1), "v": self.d.exponential(0.1)}
        shares = {"g": self.d.uniform(), "v": self.d.uniform()}
        eff = {"g": ge, "v": ve}
        eta, hidden = {}, {"g": self.hg, "v": self.hv}
        struck = {k: self.d.bernoulli(np.clip(eff[k], 0.001, 0.999)) for k in "gv"}
        for k in "gv":
            noise = 2 * (1 / (1 + np.exp(-exps[k])) - 0.5)
            eta[k] = noise + (1 - noise) * shares[k] * struck[k] * eff[k]
            if eff[k] <= 0.05:
                hidden[k] = eff[k]
            elif hidden[k] >= 1.2:
                hidden[k] = min(5.0, 1.1 * hidden[k])
            else:
                hidden[k] = 0.9 * hidden[k] + eta[k] / 3
        self.hg, self.hv = hidden["g"], hidden["v"]
        alpha = max(eta.values())
        if max(hidden.values()) == 5:
            alpha = 1 / (1 + np.exp(-(2.4 + 0.4 * self.d.normal())))
        basic = max(0, 30000 / (5 * self.v + 100) - 0.01 * self.g**2)
        self.f = basic * (1 + 2 * alpha) / 3

    def goldstone(self):
        z, he = S / 2, self.he
        old = self.domain
        if abs(he) > z:
            self.domain = int(np.sign(he))
        if self.domain != old:
            self.response = 1
        if abs(he) <= z:
            self.phi -= np.sign(self.phi)
        elif self.phi != -6 * self.domain:
            self.phi += self.response * np.sign(he)
        if abs(self.phi) >= 6:
            self.response = -1
            self.phi = 12 - (self.phi + 24) % 24
        if self.phi == 0 and abs(he) <= z:
            self.domain, self.phi, self.response = 1, 0, 1


def potential(index, he):
    """L(T(he), 2 pi index / 24)."""
    u0 = np.cbrt(1 + np.sqrt(2)) / np.sqrt(3)
    r0 = u0 + 1 / (3 * u0)
    lam = 2 * r0**2 - r0**4 + 8 * np.sqrt(2 / 27) * r0
    alpha, beta, kappa = 2 / lam, 1 / lam, -8 * np.sqrt(2 / 27) / lam
    angle = (2 * np.pi * index / 24) % (2 * np.pi)
    opt = max(abs(np.sin(angle)), S)
    qh = kappa * abs(np.sin(angle)) / (8 * beta)
    sg = np.sign(np.sin(angle)) or 1.0
    if qh <= -np.sqrt(1 / 27):
        u = np.cbrt(-sg * qh + np.sqrt(qh**2 - 1 / 27))
        rmin = u + 1 / (3 * u)
    else:
        rmin = sg * np.sqrt(4 / 3) * np.cos(np.arccos(-qh * np.sqrt(27)) / 3)
    rmin = abs(rmin)
    if abs(he) <= opt:
        r = he * rmin / opt
    else:
        e = (2 - opt) / (2 - rmin)
        r = np.sign(he) * (rmin + (2 - rmin) / (2 - opt) ** e * (abs(he) - opt) ** e)
    return -alpha * r**2 + beta * r**4 + kappa * np.sin(angle) * r
