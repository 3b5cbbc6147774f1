/** A resource with two keys, and the rotation of them by a program that may be killed at any step. */
import type { KeyRotation } from '../../../runtime/api/types.ts';
import {
  type EffectResult,
  formatJournal,
  type Host,
  type Journal,
  parseJournal,
  run,
} from '../../../runtime/engine/index.ts';
import { publishedAt, rotationSteps } from '../../../runtime/operator/export/steps.ts';
import { jsonOf, type RotationMemo } from '../../../runtime/operator/rotation/memo.ts';
import {
  type RotationEffect,
  type RotationObservation,
  rotationPipeline,
} from '../../../runtime/operator/rotation/pipeline.ts';

export const rotation: KeyRotation = {
  action: { method: 'POST', path: 'regenerateKey', apiVersion: '1' },
  primary: [
    { secret: 'a1', body: { key: 'a1' } },
    { secret: 'b1', body: { key: 'b1' } },
  ],
  secondary: [
    { secret: 'a2', body: { key: 'a2' } },
    { secret: 'b2', body: { key: 'b2' } },
  ],
  counterparts: { a1: 'a2', b1: 'b2' },
};
export const steps = rotationSteps(rotation);
export const overlapMs = 3_600_000;

export class Killed extends Error {}

/** What happens at one point where something leaves the program. */
export type Fate = 'pass' | 'killBefore' | 'killAfter' | 'lost' | 'refused';

/** Azure's keys, a Secret that consumers read, and an annotation; all of them outlive the program. */
export class Scene {
  now = 1_000_000;
  readonly keys: Record<string, number> = { a1: 0, a2: 0, b1: 0, b2: 0 };
  readonly renewed: string[] = [];
  readonly violations: string[] = [];
  annotation: string | undefined;
  rotated: string | undefined;
  /** When each value was published last; Infinity while it is. */
  readonly published = new Map<string, number>();
  /** What befalls the next writes and requests. */
  fates: Fate[] = [];

  constructor() {
    this.publish('both');
  }

  publish(side: 'both' | 'primary' | 'secondary'): void {
    const shown = { a1: 'a1', a2: 'a2', b1: 'b1', b2: 'b2' };
    if (side === 'primary') Object.assign(shown, { a2: 'a1', b2: 'b1' });
    if (side === 'secondary') Object.assign(shown, { a1: 'a2', b1: 'b2' });
    const now = Object.values(shown).map((name) => `${name} ${this.keys[name]}`);
    for (const [value, until] of this.published) {
      if (until === Number.POSITIVE_INFINITY && !now.includes(value)) this.published.set(value, this.now);
    }
    for (const value of now) this.published.set(value, Number.POSITIVE_INFINITY);
  }

  renew(name: string): void {
    const dead = `${name} ${this.keys[name]}`;
    const until = this.published.get(dead) ?? 0;
    if (until > this.now - overlapMs) this.violations.push(`${dead} died at ${this.now}, published until ${until}`);
    this.keys[name] = (this.keys[name] ?? 0) + 1;
    this.renewed.push(name);
  }

  fate(): Fate {
    return this.fates.shift() ?? 'pass';
  }
}

/** One pass of a program: exports with what its journal says, then goes on with the rotation. */
export async function pass(scene: Scene): Promise<boolean> {
  const journal = parseJournal(scene.annotation);
  const memo = (journal?.blocks['rotate']?.memo as unknown as RotationMemo | undefined) ?? { step: 0 };
  scene.publish(publishedAt(steps, memo.step));
  let keyRead: RotationObservation['keyRead'];
  const host: Host<RotationObservation, RotationEffect> = {
    observe: () => ({ now: scene.now, steps, overlapMs, objectHash: 'u', keyRead, nextPollAt: 0 }),
    save: async (next: Journal) => {
      const fate = scene.fate();
      if (fate === 'killBefore') throw new Killed();
      const over = Object.keys(next.blocks).length === 0;
      scene.annotation = over ? undefined : formatJournal(next);
      if (over) scene.rotated = next.desiredHash;
      if (fate === 'killAfter') throw new Killed();
    },
    perform: async ({ do: what, memo: at }): Promise<EffectResult> => {
      const step = steps[at.step];
      if (!step) throw new Error('no step');
      if (step.do === 'publish') {
        scene.publish(step.keys);
        const next = { step: at.step + 1, ...(step.keys !== 'both' && { since: scene.now }) };
        return { outcome: 'succeeded', memo: jsonOf(next) };
      }
      const name = step.renewal.secret;
      const key = String(scene.keys[name]);
      if (what === 'readKey') {
        if (at.before !== undefined && at.before !== key)
          return { outcome: 'succeeded', memo: jsonOf({ step: at.step + 1 }) };
        keyRead = { step: at.step, key };
        return { outcome: 'succeeded' };
      }
      const fate = scene.fate();
      if (fate === 'killBefore') throw new Killed();
      const failure = { code: 'Busy', message: 'busy' };
      if (fate === 'refused') {
        const refused = { ...failure, times: 1, until: scene.now + 1000, under: 'u' };
        return { outcome: 'succeeded', memo: jsonOf({ ...at, refused }) };
      }
      scene.renew(name);
      if (fate === 'killAfter') throw new Killed();
      if (fate === 'lost') return { outcome: 'retry', failure };
      return { outcome: 'succeeded', memo: jsonOf({ step: at.step + 1 }) };
    },
  };
  const abort = new AbortController();
  const perform = host.perform.bind(host);
  // A program that is killed comes to no result: the run rejects as it does when the process ends.
  const restartable: typeof host = {
    ...host,
    perform: (effect, context) =>
      perform(effect, context).catch((error: unknown) => {
        abort.abort(error);
        throw error;
      }),
  };
  try {
    const { state } = await run(rotationPipeline, { hash: 'requested', value: undefined }, journal, restartable, {
      signal: abort.signal,
    });
    return state === 'Succeeded';
  } catch (error) {
    if (error instanceof Killed) return false;
    throw error;
  }
}
