import { grantAnnotation, openingOf } from '../../api/pod-identity/availability.ts';
import type { Clock } from '../../base/clock.ts';
import type { FairWork } from '../../base/fairness/fair-work.ts';
import { keyOf } from '../../kube/client/types.ts';
import { DelayedSet } from '../../kube/controller/delayed-set.ts';
import type { Binding } from '../objects.ts';

/**
 * The requirement of a binding's availability on the machine. attach: a window is open, or opens shortly; keep: a
 * window opens later, so leave an attached identity there; none: no window opens any more. unknown: not computed yet.
 */
export type WindowUse = 'attach' | 'unknown' | 'keep' | 'none';

/** Dependencies of the windows. */
export interface AvailabilityWindowsDeps {
  readonly clock: Clock;
  readonly work: FairWork;
  /** How long before a window opens the identity is attached, milliseconds; undefined: ignore windows. */
  readonly attachEarlyMs: number | undefined;
  /** The use of these bindings changed. */
  readonly changed: (bindings: readonly Binding[]) => void;
}

interface Entry {
  readonly binding: Binding;
  /** Input of the computation, to detect changes. */
  readonly text: string;
  use: WindowUse;
}

/** Longest time between two comparisons with the wall clock, which somebody may set. */
const longestWaitMs = 300_000;
/** Recompute a result without a known end after this time. */
const farMs = 12 * 3_600_000;

/**
 * Computes the availability of bindings when a binding changes and when a window opens or ends. Namespaces share the
 * computing time fairly; until a result is known an attached identity stays attached.
 */
export class AvailabilityWindows {
  readonly #deps: AvailabilityWindowsDeps;
  readonly #known = new Map<string, Entry>();
  readonly #later: DelayedSet<{ binding: Binding; text: string; at: number }>;
  #running = false;

  constructor(deps: AvailabilityWindowsDeps) {
    this.#deps = deps;
    this.#later = new DelayedSet(deps.clock, ({ binding, text, at }) => {
      if (this.#known.get(keyOf(binding))?.text !== text) return;
      if (deps.clock.now() >= at) this.#enqueue(binding, text);
      else this.#schedule(binding, text, at);
    });
  }

  /** Recomputes windows as they open and end, until `ended` aborts. */
  async run(ended: AbortSignal): Promise<void> {
    this.#running = true;
    // Results computed before the start may be out of date.
    for (const { binding, text } of this.#known.values()) this.#enqueue(binding, text);
    await new Promise<void>((resolve) => {
      if (ended.aborted) resolve();
      ended.addEventListener('abort', () => resolve(), { once: true });
    });
    this.#running = false;
    this.#later.clear();
  }

  /** The result for a binding. */
  of(binding: Binding): WindowUse {
    const text = textOf(binding);
    const key = keyOf(binding);
    if (text === undefined || this.#deps.attachEarlyMs === undefined) {
      this.forget(key);
      return 'attach';
    }
    const knownWindow = this.#known.get(key);
    if (knownWindow?.text === text) return knownWindow.use;
    this.#known.set(key, { binding, text, use: 'unknown' });
    this.#enqueue(binding, text);
    return 'unknown';
  }

  /** Forgets a deleted binding. */
  forget(key: string): void {
    if (this.#known.delete(key)) this.#later.drop(key);
  }

  #enqueue(binding: Binding, text: string): void {
    const { namespace = '' } = binding.metadata;
    this.#deps.work.add(namespace, `windows ${keyOf(binding)}`, () => this.#compute(binding, text));
  }

  #compute(binding: Binding, text: string): void {
    const knownWindow = this.#known.get(keyOf(binding));
    if (knownWindow?.text !== text) return;
    const { clock, attachEarlyMs = 0 } = this.#deps;
    const now = clock.now();
    const { use, at } = useAt(binding, now, attachEarlyMs);
    if (at !== undefined) this.#schedule(binding, text, at);
    if (use === knownWindow.use) return;
    knownWindow.use = use;
    this.#deps.changed([binding]);
  }

  #schedule(binding: Binding, text: string, at: number): void {
    if (!this.#running) return;
    const key = keyOf(binding);
    this.#later.drop(key);
    const delayMs = Math.min(longestWaitMs, Math.max(0, at - this.#deps.clock.now()));
    this.#later.add(key, { binding, text, at }, delayMs);
  }
}

/**
 * The use at `now` (milliseconds since the epoch), and when it may change; undefined: not without a change of the
 * binding.
 */
export function useAt(
  binding: Binding,
  now: number,
  attachEarlyMs: number,
): { readonly use: WindowUse; readonly at: number | undefined } {
  const opening = openingOf(binding, now);
  if (opening.open) return { use: 'attach', at: opening.until ?? now + farMs };
  const { opensAt } = opening;
  if (opensAt === undefined) return { use: 'none', at: undefined };
  const early = opensAt - attachEarlyMs;
  return early <= now ? { use: 'attach', at: opensAt } : { use: 'keep', at: early };
}

/** The members that the windows depend on, as text; undefined for a binding that is always open. */
function textOf({ metadata, spec }: Binding): string | undefined {
  const grant = metadata.annotations?.[grantAnnotation];
  if (!spec?.availability && grant === undefined) return undefined;
  return JSON.stringify([spec?.availability, grant]);
}
