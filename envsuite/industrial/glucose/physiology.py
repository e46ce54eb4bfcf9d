"""The model of a patient: thirteen differential equations, and the meal and the insulin that drive them."""

from envsuite.core import Record, field, fmath, kernel
from envsuite.industrial.glucose.params import EATING, PMOL, STATES

STOMACH_SOLID, STOMACH_LIQUID, INTESTINE, PLASMA, TISSUE, INSULIN, ACTION = range(7)
DELAY_FIRST, DELAY, LIVER, SKIN_FIRST, SKIN, SENSOR = range(7, STATES)


class Work(Record):
    """Intermediate results of a Runge-Kutta step."""

    at = field(shape=STATES)
    rate = field(shape=STATES)
    total = field(shape=STATES)


WORK = Work.dtype()


@kernel
def rates(x, p, carbs, insulin, meal, out):
    """Write the derivatives.

    Args:
        x: state, (13,).
        p: the patient.
        carbs: eaten, mg/min.
        insulin: injected, pmol/kg/min.
        meal: carbohydrates of the latest meal and what was in the stomach before it, mg.
        out: (13,), units of the state a minute.
    """
    stomach = x[STOMACH_SOLID] + x[STOMACH_LIQUID]
    emptying = p.kmax
    if meal > 0.0:
        full = fmath.tanh(2.5 / (1.0 - p.b) / meal * (stomach - p.b * meal))
        empty = fmath.tanh(2.5 / p.d / meal * (stomach - p.d * meal))
        emptying = p.kmin + 0.5 * (p.kmax - p.kmin) * (full - empty + 2.0)
    out[STOMACH_SOLID] = carbs - p.kmax * x[STOMACH_SOLID]
    out[STOMACH_LIQUID] = p.kmax * x[STOMACH_SOLID] - emptying * x[STOMACH_LIQUID]
    out[INTESTINE] = emptying * x[STOMACH_LIQUID] - p.kabs * x[INTESTINE]
    appearing = p.f * p.kabs * x[INTESTINE] / p.bw
    produced = max(p.kp1 - p.kp2 * x[PLASMA] - p.kp3 * x[DELAY], 0.0)
    excreted = p.ke1 * max(x[PLASMA] - p.ke2, 0.0)
    exchanged = p.k1 * x[PLASMA] - p.k2 * x[TISSUE]
    out[PLASMA] = produced + appearing - p.fsnc - excreted - exchanged
    out[TISSUE] = exchanged - (p.vm0 + p.vmx * x[ACTION]) * x[TISSUE] / (p.km0 + x[TISSUE])
    absorbed = p.ka1 * x[SKIN_FIRST] + p.ka2 * x[SKIN]
    out[INSULIN] = p.m1 * x[LIVER] - (p.m2 + p.m4) * x[INSULIN] + absorbed
    concentration = x[INSULIN] / p.vi
    out[ACTION] = p.p2u * (concentration - p.ib - x[ACTION])
    out[DELAY_FIRST] = p.ki * (concentration - x[DELAY_FIRST])
    out[DELAY] = p.ki * (x[DELAY_FIRST] - x[DELAY])
    out[LIVER] = p.m2 * x[INSULIN] - (p.m1 + p.m30) * x[LIVER]
    out[SKIN_FIRST] = insulin - (p.ka1 + p.kd) * x[SKIN_FIRST]
    out[SKIN] = p.kd * x[SKIN_FIRST] - p.ka2 * x[SKIN]
    out[SENSOR] = p.ksc * (x[PLASMA] - x[SENSOR])
    for i in (PLASMA, TISSUE, INSULIN, LIVER, SKIN_FIRST, SKIN, SENSOR):
        if x[i] < 0.0:  # the original's way to keep amounts from falling further
            out[i] = 0.0


@kernel
def digest(x, p, w, carbs, insulin, meal):
    """Let a minute pass by Runge and Kutta's method of the fourth order; arguments as of `rates`."""
    h = 1.0 / p.substeps
    for _ in range(p.substeps):
        rates(x, p, carbs, insulin, meal, w.rate)
        for i in range(STATES):
            w.total[i] = w.rate[i]
            w.at[i] = x[i] + 0.5 * h * w.rate[i]
        for stage in range(2):
            ahead = 0.5 * h if stage == 0 else h
            rates(w.at, p, carbs, insulin, meal, w.rate)
            for i in range(STATES):
                w.total[i] += 2.0 * w.rate[i]
                w.at[i] = x[i] + ahead * w.rate[i]
        rates(w.at, p, carbs, insulin, meal, w.rate)
        for i in range(STATES):
            x[i] += h / 6.0 * (w.total[i] + w.rate[i])


@kernel
def pass_minute(s, p, w):
    """Eat from the table, take insulin at the rate of this step, digest."""
    eating = min(EATING, s.planned)
    s.planned -= eating
    if eating > 0.0:
        if s.eating <= 0.0:
            s.stomach = s.x[STOMACH_SOLID] + s.x[STOMACH_LIQUID]
            s.eaten = 0.0
        s.eaten += eating
    s.eating = eating
    s.carbs += eating
    digest(s.x, p, w, 1000.0 * eating, s.insulin * PMOL / p.bw, s.stomach + 1000.0 * s.eaten)


@kernel
def rest(x, p):
    """The steady state at the basal rate of insulin, without meals."""
    for i in range(STATES):
        x[i] = 0.0
    x[PLASMA], x[TISSUE], x[SENSOR] = p.gpb, p.gtb, p.gpb
    x[INSULIN], x[LIVER] = p.ipb, p.ilb
    x[DELAY_FIRST], x[DELAY] = p.ib, p.ib
    x[SKIN_FIRST], x[SKIN] = p.isc1, p.isc2
