"""The rules of Bulwark once more: plain Python on objects, written from the rules and not from the kernels."""

import math
from dataclasses import dataclass, field
from types import SimpleNamespace

import numpy as np

MASK32 = 0xFFFFFFFF

# name: (hp, speed, damage, extra, every, flies, from ballistae, from mortars)
KINDS = [
    (300, 0.55, 40, 20, 20, False, 100, 100),
    (180, 1.00, 20, 10, 16, False, 100, 100),
    (260, 0.75, 0, 0, 0, True, 100, 100),
    (900, 0.40, 90, 40, 24, False, 100, 100),
    (560, 0.50, 50, 20, 20, False, 40, 100),
    (420, 0.50, 30, 10, 20, False, 100, 60),
    (380, 0.50, 0, 0, 0, False, 100, 100),
    (640, 0.60, 0, 0, 0, True, 100, 100),
    (4200, 0.32, 180, 80, 20, False, 70, 70),
]
PRICES, UPGRADES, RADII = (120, 180, 140), (100, 150, 110), (1280, 1229, 1331)


def philox(counter, key):
    """Philox4x32-10 on Python integers."""
    c, k = list(counter), list(key)
    for _ in range(10):
        a, b = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [(b >> 32) ^ c[1] ^ k[0], b & MASK32, (a >> 32) ^ c[3] ^ k[1], a & MASK32]
        k = [(k[0] + 0x9E3779B9) & MASK32, (k[1] + 0xBB67AE85) & MASK32]
    return c


@dataclass
class Game:
    """One episode on a level (`envsuite.tower_defense.levels.Level`)."""

    level: object
    seed: int
    friendly_fire: bool = True
    tick: int = 0
    enemies: dict = field(default_factory=dict)  # by slot
    guards: dict = field(default_factory=dict)
    towers: dict = field(default_factory=dict)
    fires: dict = field(default_factory=dict)
    cooldown: int = 0
    outcome: int = 0
    wave: int = 0
    kills: int = 0
    coins: int = 0
    missed: int = 0
    paid: int = 0
    queue: list = field(default_factory=list)

    def __post_init__(self):
        level = self.level
        self.key = [int(word) for word in np.random.SeedSequence(self.seed).generate_state(2, np.uint32)]
        self.gold, self.life = level.gold, level.life
        self.leaks = [0] * 9
        self.tables = [[(int(x), int(y)) for x, y in table] for table in level.tables]
        self.lengths = [round(length * 1024 * 256) for length in level.lengths]
        self.sites = [(round(x * 1024), round(y * 1024)) for x, y in level.sites]
        self.until_wave, self.until_spawn = round(level.first * 20), 0
        self.fog = [self.anywhere(903), self.anywhere(904)]
        self.fog_to = [self.anywhere(901), self.anywhere(902)]
        self.axes = (round(1792 * level.fog / 100), round(870 * level.fog / 100))
        self.coin, self.until_coin = None, round(level.coin_refresh * 20)
        x, y = self.tables[0][round(0.75 * level.lengths[0] * 1024 / 16)]
        self.hero = SimpleNamespace(x=x, y=y, hp=1200, top=1200, to=None, wait=0, dead=0)
        self.number = 0
        self.lit = False

    # luck and geometry

    def luck(self, stream, n):
        return philox([self.tick, 1, 1, stream], self.key)[0] * n >> 32

    def anywhere(self, stream, reach=3072):
        return self.luck(stream, 2 * reach + 1) - reach

    def under_cloud(self, x, y):
        a, b = self.axes
        if not a:
            return False
        return (x - self.fog[0]) ** 2 * b * b + (y - self.fog[1]) ** 2 * a * a <= a * a * b * b

    def hidden(self, x, y):
        return not self.lit and self.under_cloud(x, y)

    @staticmethod
    def towards(at, to, stride):
        dx, dy = to[0] - at[0], to[1] - at[1]
        if dx * dx + dy * dy <= stride * stride:
            return to
        length = math.isqrt(dx * dx + dy * dy)
        return at[0] + dx * stride // length, at[1] + dy * stride // length

    def left(self, enemy):
        return self.lengths[enemy.path] - enemy.progress

    def foremost(self, place, reach, air=True):
        """The visible enemy in reach with the least way left; the lower slot where two are level."""
        near = [
            (self.left(enemy), slot)
            for slot, enemy in self.enemies.items()
            if not enemy.hidden and (air or not KINDS[enemy.kind][5]) and math.dist(place, enemy.at) <= reach
        ]
        return min(near)[1] if near else None

    def wound(self, slot, damage):
        self.enemies[slot].hp -= damage
        if self.enemies[slot].hp <= 0:
            del self.enemies[slot]
            self.kills += 1

    def earn(self, gold):
        self.gold = min(self.gold + gold, self.level.gold_cap)

    # commands

    def command(self, kind, site=None, place=None):
        """Do what is known to be possible."""
        if kind <= 2:
            self.gold -= PRICES[kind]
            table = min(self.tables, key=lambda t: min(math.dist(self.sites[site], point) for point in t))
            rally = min(table, key=lambda point: math.dist(self.sites[site], point))
            self.towers[site] = SimpleNamespace(kind=kind, level=0, wait=0, spent=PRICES[kind], rally=rally)
            self.towers[site].frozen = self.towers[site].hidden = False
        elif kind == 3:
            tower = self.towers[site]
            self.gold -= UPGRADES[tower.kind]
            tower.spent += UPGRADES[tower.kind]
            tower.level += 1
        elif kind == 4:
            self.earn(self.towers.pop(site).spent * 60 // 100)
            self.guards = {slot: guard for slot, guard in self.guards.items() if guard.owner != site}
        elif kind == 7:
            self.towers[site].rally = place
            for guard in self.guards.values():
                if guard.owner == site:
                    guard.home = place
        elif kind == 8:
            self.cooldown = 400
            for shift in (-120, 120):
                at = (min(max(place[0] + shift, -3072), 3072), place[1])
                self.recruit(at, at, None, 0, 200)
        elif kind == 9:
            self.hero.to = None if place == (self.hero.x, self.hero.y) else place
        elif kind == 10:
            self.hero.hp -= 100
            slot = min(range(10), key=lambda k: self.fires[k].left if k in self.fires else -1)
            self.fires[slot] = SimpleNamespace(left=100, at=(self.hero.x, self.hero.y))
        elif kind == 11:
            self.gold -= 300
            self.hero.hp += 200
            self.hero.top += 200

    def recruit(self, at, home, owner, level, life=None):
        slot = next(k for k in range(24) if k not in self.guards)
        self.guards[slot] = SimpleNamespace(
            hp=420 + 120 * level, at=at, home=home, owner=owner, level=level, life=life, wait=0
        )
        self.guards = dict(sorted(self.guards.items()))

    # a tick

    def step(self):
        """Thirteen phases in their order."""
        self.tick += 1
        self.fog = list(self.towards(tuple(self.fog), tuple(self.fog_to), 20))
        if self.fog == self.fog_to:
            self.fog_to = [self.anywhere(901), self.anywhere(902)]
        for slot in list(self.fires):
            self.fires[slot].left -= 1
            if self.fires[slot].left < 0:
                del self.fires[slot]
        self.lit = any(self.under_cloud(*fire.at) for fire in self.fires.values())
        self.waves()
        for slot in sorted(self.enemies):
            self.march(slot)
        self.freeze()
        for site in sorted(self.towers):
            self.shoot(site)
        for slot in sorted(self.guards):
            self.fight(slot)
        self.lead()
        self.lie()
        self.burn()
        for thing in (*self.enemies.values(), *self.towers.values(), *self.guards.values(), self.hero):
            thing.wait = max(0, thing.wait - 1)
        self.cooldown = max(0, self.cooldown - 1)
        if self.life == 0:
            self.outcome = 1
        elif self.wave == len(self.level.waves) and not self.queue and not self.enemies:
            self.outcome = 2

    def waves(self):
        if self.wave < len(self.level.waves):
            self.until_wave = max(0, self.until_wave - 1)
            if self.until_wave == 0 and not self.queue:
                self.queue = [kind for kind, count in self.level.waves[self.wave] for _ in range(count)]
                self.wave += 1
                self.until_spawn, self.until_wave = 0, round(self.level.interval * 20)
        if not self.queue:
            return
        self.until_spawn = max(0, self.until_spawn - 1)
        if self.until_spawn == 0 and len(self.enemies) < 50:
            slot = next(k for k in range(50) if k not in self.enemies)
            path, kind = self.luck(7, len(self.tables)), self.queue.pop(0)
            enemy = SimpleNamespace(kind=kind, hp=KINDS[kind][0], path=path, progress=0, at=self.tables[path][0])
            enemy.wait, enemy.blocker, enemy.hidden, enemy.number = 0, None, False, self.number
            self.enemies[slot] = enemy
            self.number += 1
            self.until_spawn = round(self.level.spawn * 20)

    def march(self, slot):
        enemy = self.enemies[slot]
        _, speed, damage, extra, every, *_ = KINDS[enemy.kind]
        if enemy.blocker is None:
            enemy.progress += round(speed * 1024 / 20 * 256)
            if self.left(enemy) <= 0:
                del self.enemies[slot]
                if self.life:
                    self.life -= 1
                    self.leaks[enemy.kind] += 1
                return
            enemy.at = self.tables[enemy.path][enemy.progress // 256 // 16]
        enemy.hidden = self.hidden(*enemy.at)
        if enemy.blocker is not None and enemy.wait == 0 and damage:
            enemy.wait = every
            self.strike(enemy.blocker, damage + self.luck(100 + slot, extra + 1))
        if enemy.kind == 6 and self.tick % 20 == 0:
            for other in self.enemies.values():
                if other is not enemy and math.dist(other.at, enemy.at) <= 819:
                    other.hp = min(other.hp + 25, KINDS[other.kind][0])
        enemy.blocker = None

    def strike(self, blocker, damage):
        if blocker == "hero":
            if not self.hero.dead:
                self.hero.hp -= damage
                if self.hero.hp <= 0:
                    self.hero.hp, self.hero.dead, self.hero.to = 0, 200, None
        elif blocker in self.guards:
            self.guards[blocker].hp -= damage
            if self.guards[blocker].hp <= 0:
                del self.guards[blocker]

    def freeze(self):
        for site, tower in self.towers.items():
            tower.frozen, tower.hidden = False, self.hidden(*self.sites[site])
        for enemy in self.enemies.values():
            near = [(math.dist(self.sites[site], enemy.at), site) for site in self.towers]
            if enemy.kind == 5 and near and min(near)[0] <= 1000:
                self.towers[min(near)[1]].frozen = True

    def shoot(self, site):
        tower = self.towers[site]
        if tower.wait or tower.frozen or tower.hidden:
            return
        if tower.kind == 2:
            if sum(guard.owner == site for guard in self.guards.values()) < 3 and len(self.guards) < 24:
                self.recruit(self.sites[site], tower.rally, site, tower.level)
                tower.wait = 120
            return
        slot = self.foremost(self.sites[site], RADII[tower.kind], air=tower.kind == 0)
        if slot is None:
            return
        tower.wait = (16, 40)[tower.kind]
        damage = (52, 150)[tower.kind] + self.luck(300 + site, (27, 61)[tower.kind])
        for _ in range(tower.level):
            damage = damage * 14 // 10
        if tower.kind == 0:
            self.wound(slot, damage * KINDS[self.enemies[slot].kind][6] // 100)
            return
        centre = self.enemies[slot].at
        for other in sorted(self.enemies):
            kind = KINDS[self.enemies[other].kind]
            if not kind[5] and math.dist(self.enemies[other].at, centre) <= 666:
                self.wound(other, damage * kind[7] // 100)

    def fight(self, slot):
        guard = self.guards[slot]
        if guard.life is not None:
            guard.life -= 1
            if guard.life == 0:
                del self.guards[slot]
                return
        stride = 31 * (10 + 2 * guard.level) // 10
        near = [
            (enemy.blocker is not None, math.dist(enemy.at, guard.at), number)
            for number, enemy in self.enemies.items()
            if not enemy.hidden and not KINDS[enemy.kind][5] and math.dist(enemy.at, guard.home) <= 512
        ]
        if not near or self.hidden(*guard.at):
            guard.at = self.towards(guard.at, guard.home, stride)
            return
        _, gap, number = min(near)
        enemy = self.enemies[number]
        if gap > 150:
            guard.at = self.towards(guard.at, enemy.at, stride)
            return
        if enemy.blocker is None:
            enemy.blocker = slot
        if guard.wait == 0:
            guard.wait = 16
            damage = 34 + self.luck(400 + slot, 17)
            for _ in range(guard.level):
                damage = damage * 13 // 10
            self.wound(number, damage)

    def lead(self):
        hero = self.hero
        if hero.dead:
            hero.dead -= 1
            if hero.dead == 0:
                hero.hp = hero.top
            return
        if self.tick % 20 == 0:
            hero.hp = min(hero.hp + 30, hero.top)
        if hero.to is not None:
            hero.x, hero.y = self.towards((hero.x, hero.y), hero.to, 46)
            if (hero.x, hero.y) == hero.to:
                hero.to = None
        if hero.to is not None or self.hidden(hero.x, hero.y):
            return
        slot = self.foremost((hero.x, hero.y), 600)
        if slot is None:
            return
        enemy = self.enemies[slot]
        if enemy.blocker is None and not KINDS[enemy.kind][5]:
            enemy.blocker = "hero"
        if hero.wait == 0:
            hero.wait = 16
            self.wound(slot, 70 + self.luck(500, 41))

    def lie(self):
        level = self.level
        self.until_coin = max(0, self.until_coin - 1)
        if self.coin is None:
            if self.until_coin == 0:
                self.coin = (self.anywhere(601, 2816), self.anywhere(602, 2816))
                self.until_coin = round(level.coin_stay * 20)
            return
        pickers = [guard.at for guard in self.guards.values()]
        pickers += [] if self.hero.dead else [(self.hero.x, self.hero.y)]
        if any(math.dist(at, self.coin) <= 307 for at in pickers):
            self.coins += 1
            self.earn(level.coin_value + self.luck(600, level.coin_extra + 1))
        elif self.until_coin == 0:
            self.missed += 1
        else:
            return
        self.coin, self.until_coin = None, round(level.coin_refresh * 20)

    def burn(self):
        for number in sorted(self.fires):
            fire = self.fires[number]
            if fire.left % 10:
                continue
            damage = 30 + self.luck(700 + number, 21)
            for slot in sorted(self.enemies):
                enemy = self.enemies[slot]
                if not KINDS[enemy.kind][5] and math.dist(enemy.at, fire.at) <= 358:
                    self.wound(slot, damage)
            for slot in sorted(self.guards) if self.friendly_fire else ():
                guard = self.guards[slot]
                if math.dist(guard.at, fire.at) <= 358:
                    guard.hp -= damage
                    if guard.hp <= 0:
                        del self.guards[slot]
                        if self.luck(800 + slot, 2) == 0:
                            self.paid += 1
                            self.earn(20)
