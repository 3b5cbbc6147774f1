/** A ManagedSecret with a rollout in simulated time: vaults, machines that fall ill, and an operator that is killed. */
import { nextRollout, type RolloutDecision } from '../../../runtime/compute/managed-secrets/rollout-plan.ts';
import {
  decodeRollout,
  encodeRollout,
  numberInVault,
  type RolloutState,
} from '../../../runtime/compute/managed-secrets/rollout-state.ts';
import {
  numbering,
  orderOf,
  type RolloutMachine,
  type RolloutRules,
} from '../../../runtime/compute/managed-secrets/rollout-steps.ts';

export const tickMs = 10_000;
type Random = () => number;

interface SimulatedMachine {
  readonly name: string;
  readonly location: string;
  /** Number of the version that its instances have. */
  actual: number;
  /** Ticks until its instances have the version that it is to have. */
  rolling: number;
  wanted: number;
  ill: boolean;
  report: RolloutMachine | undefined;
}

export class SimulatedRollout {
  readonly locations: readonly string[];
  readonly home: string;
  readonly rules: RolloutRules;
  readonly machines: SimulatedMachine[] = [];
  /** Versions that make machines ill, each a tick after it arrives. */
  readonly bad = new Set<number>();
  /** The secret with the state, as the home vault has it. */
  stored = '';
  newest = 1;
  pinned: number | undefined;
  now = 0;
  decision: RolloutDecision | undefined;
  /** What went wrong, in words. */
  readonly wrong: string[] = [];
  /** Ticks in which all machines of a step had the version, and baked, summed over the steps that have ended. */
  ideal = 0;
  readonly #random: Random;
  /** Most ticks of a roll, and of baking. */
  readonly #most: { readonly roll: number; readonly bake: number };
  readonly #copies = new Map<string, Set<number>>();
  readonly #away = new Set<string>();
  /** When a process last saw machines of the step that were not well. */
  #lastBreak = 0;
  #watchedSince = 0;
  #brokenAt = 0;
  #running = true;

  constructor(random: Random, most = { roll: 4, bake: 10 }) {
    this.#random = random;
    this.#most = most;
    const many = 1 + Math.floor(random() * 4);
    this.locations = Array.from({ length: many }, (_, index) => `region${index}`);
    this.home = this.locations[Math.floor(random() * many)] as string;
    this.rules = {
      regions: this.locations.filter(() => random() < 0.5).reverse(),
      consumers: random() < 0.5 ? ['m1', 'm3', 'absent'] : [],
      canaryPercent: random() < 0.5 ? 20 : undefined,
      bakeMs: Math.floor(random() * most.bake) * tickMs,
    };
    for (const location of this.locations) this.#copies.set(location, new Set([1]));
    const machines = Math.floor(random() * 8);
    for (let index = 0; index < machines; index++) this.addMachine(index);
  }

  get target(): number {
    return this.pinned ?? this.newest;
  }

  get state(): RolloutState | undefined {
    return decodeRollout(this.stored);
  }

  addMachine(index: number): void {
    const location = this.locations[Math.floor(this.#random() * this.locations.length)] as string;
    this.machines.push({
      name: `m${index}`,
      location,
      actual: 1,
      rolling: 0,
      wanted: 1,
      ill: false,
      report: undefined,
    });
  }

  away(location: string, isAway: boolean): void {
    if (isAway) this.#away.add(location);
    else this.#away.delete(location);
  }

  kill(): void {
    this.#running = false;
    for (const machine of this.machines) machine.report = undefined;
  }

  start(): void {
    if (this.#running) return;
    this.#running = true;
    this.#watchedSince = this.now;
    this.#brokenAt = 0;
  }

  /** One tick: machines go on, then the operator decides, writes and copies. */
  tick(): void {
    this.now += tickMs;
    for (const machine of this.machines) this.#move(machine);
    if (!this.#running) return;
    for (const machine of this.machines) if (this.#random() < 0.8) this.#observe(machine);
    this.#decide();
    this.#copy();
    this.#deliver();
  }

  #move(machine: SimulatedMachine): void {
    if (machine.rolling > 0) {
      machine.rolling--;
      if (machine.rolling > 0) return;
      machine.actual = machine.wanted;
      machine.ill = false;
    }
    if (this.bad.has(machine.actual)) machine.ill = true;
  }

  #observe(machine: SimulatedMachine): void {
    const { name, location, wanted, rolling, ill } = machine;
    const health = rolling > 0 ? 'Rolling' : ill ? 'Ill' : 'Well';
    machine.report = { name, location, number: wanted, health, message: health };
  }

  reports(): RolloutMachine[] {
    return this.machines.map(({ name, location, report }) => {
      return report ?? { name, location, number: undefined, health: 'Unknown', message: 'not seen yet' };
    });
  }

  #decide(): void {
    const copies = new Map<string, number | undefined>();
    for (const location of this.locations) {
      if (this.#away.has(location)) continue;
      const there = [...(this.#copies.get(location) ?? [])].filter((number) => number <= this.target);
      copies.set(location, location === this.home ? this.target : there.length > 0 ? Math.max(...there) : undefined);
    }
    const { now, rules, locations, home, target, state } = this;
    const machines = this.reports();
    const since = { watchedSince: this.#watchedSince, brokenAt: this.#brokenAt };
    const decision = nextRollout({ now, ...since, rules, locations, home, target, state, copies, machines });
    this.#check(state, decision, machines);
    this.decision = decision;
    if (decision.phase !== 'Baking') this.#brokenAt = now;
    // A write whose answer is lost was done, or not.
    if (decision.changed && this.#random() < 0.9) this.stored = encodeRollout(decision.state);
  }

  /** No step follows another one whose machines are ill, or were it within the time of baking. */
  #check(before: RolloutState | undefined, { state }: RolloutDecision, machines: readonly RolloutMachine[]): void {
    const { step } = before ?? {};
    if (!before || !step || step.number !== this.target) return;
    const input = { rules: this.rules, state: before, machines, locations: this.locations };
    const numberOf = numbering(input);
    const having = machines.filter((each) => numberOf(each) === step.number);
    const here = having.filter(({ location }) => location === step.location);
    const isWell = here.every(({ health, number }) => health === 'Well' && number === step.number);
    if (!isWell && here.every(({ health }) => health !== 'Unknown')) this.#lastBreak = this.now;
    if (state.step?.location === step.location && state.step.index === step.index) return;
    this.ideal += this.rules.bakeMs / tickMs;
    if (having.some(({ health, number }) => health === 'Ill' && number === step.number)) {
      this.wrong.push(`${this.now}: goes on while a machine is ill`);
    }
    if (!isWell) this.wrong.push(`${this.now}: goes on while a machine of the step is not well`);
    if (here.length > 0 && this.now - this.#lastBreak < this.rules.bakeMs) {
      this.wrong.push(`${this.now}: goes on before the time of baking`);
    }
  }

  #copy(): void {
    const { state } = this;
    if (!state) return;
    for (const location of this.locations) {
      const number = numberInVault(state, location);
      if (location === this.home || this.#away.has(location) || number === undefined) continue;
      const copies = this.#copies.get(location);
      if (copies?.has(number)) continue;
      copies?.add(number);
      this.#checkOrder(location, number, 'the vault');
    }
  }

  #deliver(): void {
    const { state } = this;
    if (!state) return;
    const input = { rules: this.rules, state, machines: this.reports(), locations: this.locations };
    const numberOf = numbering(input);
    let longest = 0;
    for (const machine of this.machines) {
      const number = numberOf(machine);
      const has = machine.location === this.home || this.#copies.get(machine.location)?.has(number);
      if (machine.wanted === number || !has) continue;
      const forward = number > machine.wanted;
      machine.wanted = number;
      machine.rolling = 1 + Math.floor(this.#random() * this.#most.roll);
      longest = Math.max(longest, machine.rolling);
      if (forward) this.#checkOrder(machine.location, number, machine.name);
    }
    this.ideal += longest;
  }

  /** Whatever gets a version, each region before it has this version, or a later one that a pin took back. */
  #checkOrder(location: string, number: number, what: string): void {
    const { state } = this;
    const order = orderOf(this.rules, this.locations);
    const before = order.slice(0, order.indexOf(location));
    const late = before.filter((each) => (state?.regions[each] ?? 0) < number);
    if (late.length > 0) this.wrong.push(`${this.now}: ${what} in ${location} gets ${number} before ${late}`);
  }
}
