import type { Clock } from '../../../runtime/base/clock.ts';
import type { Runtime } from '../../../runtime/kube/cache/types.ts';
import type { KubeClient } from '../../../runtime/kube/client/types.ts';
import type { ObjectEvent } from '../../../runtime/kube/events/event-object.ts';
import { LeaseElector } from '../../../runtime/kube/leader-election/elector.ts';
import type { LeaseOptions } from '../../../runtime/kube/leader-election/lease-record.ts';
import { runtimeOf } from '../../fakes/kube-objects.ts';

/** A program that wants the lease, and what it does. */
export interface Replica {
  readonly elector: LeaseElector;
  readonly stop: AbortController;
  readonly result: Promise<unknown>;
  readonly runtime: Runtime;
  readonly events: ObjectEvent[];
  working: boolean;
  lost: AbortSignal | undefined;
  lostAt: number | undefined;
}

/** A program that works until stopped or until the lease is lost. */
export function startReplica(
  { kube, clock }: { readonly kube: KubeClient; readonly clock: Clock },
  options: LeaseOptions,
  drainMs = 0,
): Replica {
  const runtime = runtimeOf(kube, clock);
  const events: ObjectEvent[] = [];
  const elector = new LeaseElector(runtime, options, { record: (event) => events.push(event) });
  const stop = new AbortController();
  const state: Replica = {
    elector,
    stop,
    runtime,
    events,
    working: false,
    lost: undefined,
    lostAt: undefined,
    result: elector
      .lead(stop.signal, async (lost) => {
        state.working = true;
        state.lost = lost;
        lost.addEventListener('abort', () => {
          state.lostAt = clock.now();
        });
        const end = AbortSignal.any([stop.signal, lost]);
        await new Promise<void>((resolve) => end.addEventListener('abort', () => resolve()));
        if (drainMs > 0) await clock.sleep(drainMs, lost).catch(() => undefined);
        state.working = false;
      })
      .then(
        () => 'ended',
        (error) => error,
      ),
  };
  return state;
}
