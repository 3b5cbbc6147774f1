import { ManualClock } from '../../../runtime/base/clock.ts';
import type { KubeObject } from '../../../runtime/kube/client/types.ts';
import { eventsType } from '../../../runtime/kube/events/event-object.ts';
import { type EventRecorderOptions, KubeEventRecorder } from '../../../runtime/kube/events/recorder.ts';
import { pass, runtimeOf, widget } from '../../fakes/kube-objects.ts';
import { LocalKube } from '../../fakes/local-kube.ts';

/** An API server, whose clock stands still, and recorders of events. */
export class RecorderWorld {
  readonly kube = new LocalKube();
  readonly clock = new ManualClock(Date.UTC(2026, 0, 1));
  readonly runtime = runtimeOf(this.kube, this.clock);

  recorder(options: Partial<EventRecorderOptions> = {}): KubeEventRecorder {
    return new KubeEventRecorder(this.runtime, { controller: 'azimuth.dev/test', instance: 'pod-1', ...options });
  }

  stored(): KubeObject[] {
    return this.kube.all(eventsType);
  }

  /** How often each stored event took place. */
  counts(): number[] {
    return this.stored().map((event) => event['series']?.count ?? 1);
  }

  /** Closes a recorder while the clock goes on. */
  async closed(events: KubeEventRecorder, deadlineMs?: number, waitMs = 10_000): Promise<void> {
    const closing = events.close(deadlineMs);
    await pass(this.clock, waitMs);
    await closing;
  }
}

export const about = (name: string): KubeObject => widget(name, {}, { uid: `uid-${name}`, resourceVersion: '7' });
export const ready = { reason: 'Ready', action: 'Create', note: 'It is there' };
