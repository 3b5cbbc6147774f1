import { messageOf } from '../../../runtime/base/errors.ts';
import { isForbidden, KubeStatusError } from '../../../runtime/kube/client/status-error.ts';
import { until } from '../../operator/support.ts';
import type { Attack, Written } from './attack.ts';
import type { TenantWorld } from './tenant-world.ts';

/** What came of one attack; `problem` is undefined where it happened and everything held. */
export interface AttackResult {
  readonly point: string;
  readonly name: string;
  readonly problem: string | undefined;
}

const seenLimitMs = 60_000;
/** Objects that the tenant creates at a time. */
const writesAtOnce = 16;

/** Attacks that a hostile tenant has begun. */
export class RunningAttacks {
  readonly #world: TenantWorld;
  readonly #attacks: readonly Attack[];
  /** Why attacks did not happen. */
  readonly #unhappened = new Map<Attack, string>();
  readonly #written: Written[] = [];
  readonly #stop = new AbortController();
  #goingOn: readonly Promise<void>[] = [];
  #edits = 0;

  private constructor(world: TenantWorld, attacks: readonly Attack[]) {
    this.#world = world;
    this.#attacks = attacks;
  }

  /** Begins the attacks one after the other, and resolves when programs have taken notice of all of them. */
  static async begin(world: TenantWorld, attacks: readonly Attack[]): Promise<RunningAttacks> {
    const running = new RunningAttacks(world, attacks);
    for (const attack of attacks) await running.#unlessFailed(attack, () => running.#begin(attack));
    running.#goingOn = [
      running.#keepEditing(),
      ...attacks.map((attack) =>
        running.#unlessFailed(attack, async () => attack.during?.(world, running.#stop.signal)),
      ),
    ];
    await Promise.all(attacks.map((attack) => running.#unlessFailed(attack, () => running.#untilSeen(attack))));
    return running;
  }

  /** How many objects the tenant has edited. */
  get edits(): number {
    return this.#edits;
  }

  /** Ends the attacks, and gives what came of each. */
  async end(): Promise<AttackResult[]> {
    this.#stop.abort();
    await Promise.all(this.#goingOn);
    // Together: many of them wait for what must not come.
    return Promise.all(
      this.#attacks.map(async (attack): Promise<AttackResult> => {
        const { point, name } = attack;
        const broken = () => attack.broken(this.#world).catch((error: unknown) => messageOf(error));
        return { point, name, problem: this.#unhappened.get(attack) ?? (await broken()) };
      }),
    );
  }

  async #unlessFailed(attack: Attack, work: () => Promise<unknown>): Promise<void> {
    if (this.#unhappened.has(attack)) return;
    await work().catch((error: unknown) => this.#unhappened.set(attack, messageOf(error)));
  }

  async #untilSeen(attack: Attack): Promise<void> {
    const seen = () => attack.seen(this.#world).catch(() => false);
    await until('seen', seen, seenLimitMs).catch(() => {
      throw new Error('did not happen: no program took notice');
    });
  }

  /** Sets up and writes; throws for what was not as the attack says. */
  async #begin(attack: Attack): Promise<void> {
    await attack.before?.(this.#world);
    const objects = attack.writes?.(this.#world) ?? [];
    for (let from = 0; from < objects.length; from += writesAtOnce) {
      await Promise.all(objects.slice(from, from + writesAtOnce).map((each) => this.#write(attack, each)));
    }
    await attack.acts?.(this.#world);
  }

  async #write({ refused }: Attack, each: Written): Promise<void> {
    const what = `${each.type.kind} ${each.object.metadata.name}`;
    try {
      await this.#world.tenant.create(each.type, each.object);
    } catch (error) {
      if (refused === 'rights' && isForbidden(error)) return;
      if (refused === 'schema' && error instanceof KubeStatusError && error.status === 422) return;
      throw new Error(`did not happen: the API server refused ${what}: ${messageOf(error)}`);
    }
    if (refused) throw new Error(`the API server took ${what}, which it should refuse`);
    this.#written.push(each);
  }

  /** Edits an annotation of the tenant's objects, ten a second. */
  async #keepEditing(): Promise<void> {
    for (let turn = 0; !this.#stop.signal.aborted && this.#written.length > 0; turn++) {
      const { type, object } = this.#written[turn % this.#written.length] as Written;
      const body = { metadata: { annotations: { edit: String(turn) } } };
      const patch = { type: 'merge', body } as const;
      const done = await this.#world.tenant.patch(type, object.metadata, patch).catch(() => undefined);
      if (done) this.#edits += 1;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}
