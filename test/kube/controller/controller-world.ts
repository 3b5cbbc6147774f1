import { Reflector } from '../../../runtime/kube/cache/reflector.ts';
import type { ReconcileKey, ReconcileResult } from '../../../runtime/kube/cache/types.ts';
import { Controller } from '../../../runtime/kube/controller/controller.ts';
import type { ControllerOptions } from '../../../runtime/kube/controller/controller-options.ts';
import { runtimeOf, widgets } from '../../fakes/kube-objects.ts';
import { LocalKube } from '../../fakes/local-kube.ts';

/** An API server with widgets, and controllers of them, which run until `close`. */
export class ControllerWorld {
  readonly kube = new LocalKube();
  readonly runtime = runtimeOf(this.kube);
  readonly stop = new AbortController();
  readonly running: Promise<unknown>[] = [];
  readonly primary = this.reflect(widgets);

  async close(): Promise<void> {
    this.stop.abort();
    await Promise.all(this.running);
  }

  reflect(type: typeof widgets): Reflector {
    const reflector = new Reflector(this.runtime, { type, backoff: { initialMs: 1, maxMs: 5 } });
    this.running.push(reflector.run(this.stop.signal));
    return reflector;
  }

  control(
    reconcile: (request: ReconcileKey, signal: AbortSignal) => Promise<ReconcileResult | undefined> | undefined,
    options: Partial<ControllerOptions> = {},
    abort?: AbortSignal,
  ) {
    const seen: ReconcileKey[] = [];
    const controller = new Controller(this.runtime, {
      name: 'widget',
      primary: this.primary,
      backoff: { initialMs: 1, maxMs: 20 },
      reconcile: async (request, signal) => {
        seen.push(request);
        return reconcile(request, signal);
      },
      ...options,
    });
    const ended = controller.run(this.stop.signal, abort);
    this.running.push(ended);
    return { controller, seen, ended };
  }

  async metric(line: string): Promise<number | undefined> {
    const text = await this.runtime.metrics.metrics();
    const found = text.split('\n').find((each) => each.startsWith(line));
    return found === undefined ? undefined : Number(found.split(' ').at(-1));
  }
}
