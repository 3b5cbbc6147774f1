import { HealthServer } from '../../../runtime/base/observability/health.ts';
import { Reflector } from '../../../runtime/kube/cache/reflector.ts';
import type { ReconcileKey, ReconcileResult } from '../../../runtime/kube/cache/types.ts';
import { Controller } from '../../../runtime/kube/controller/controller.ts';
import type { ControllerOptions } from '../../../runtime/kube/controller/controller-options.ts';
import { Manager } from '../../../runtime/kube/controller/manager.ts';
import { runtimeOf, widgets } from '../../fakes/kube-objects.ts';
import { LocalKube } from '../../fakes/local-kube.ts';

/** An API server with widgets, and controllers and programs that reconcile them, which run until `close`. */
export class ControllerWorld {
  readonly kube = new LocalKube();
  readonly runtime = runtimeOf(this.kube);
  readonly stop = new AbortController();
  readonly running: Promise<unknown>[] = [];
  #primary: Reflector | undefined;

  async close(): Promise<void> {
    this.stop.abort();
    await Promise.all(this.running);
  }

  /** The cache of widgets that all controllers share. */
  get primary(): Reflector {
    this.#primary ??= this.reflect(widgets);
    return this.#primary;
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

  /** A program with a controller of its own. */
  program(reconcile: (request: ReconcileKey, signal: AbortSignal) => Promise<undefined>, options = {}) {
    const runtime = runtimeOf(this.kube);
    const health = new HealthServer(runtime.metrics);
    const manager = new Manager(runtime, { name: 'operator', health, ...options });
    const cache = manager.watch({ type: widgets, backoff: { initialMs: 5, maxMs: 20 } });
    manager.addController(new Controller(runtime, { name: 'widget', primary: cache, reconcile, graceMs: 2000 }));
    const end = new AbortController();
    const start = () => {
      const result = manager.run(AbortSignal.any([end.signal, this.stop.signal]));
      this.running.push(result.catch(() => undefined));
      return result;
    };
    return { manager, cache, health, start, end };
  }

  async metric(line: string): Promise<number | undefined> {
    const text = await this.runtime.metrics.metrics();
    const found = text.split('\n').find((each) => each.startsWith(line));
    return found === undefined ? undefined : Number(found.split(' ').at(-1));
  }
}

/** The answer of a health server. */
export async function probe(health: HealthServer, path: string): Promise<{ ok: boolean; body: string }> {
  const port = await health.listen(0, '127.0.0.1');
  const response = await fetch(`http://127.0.0.1:${port}${path}`);
  const body = await response.text();
  await health.close();
  return { ok: response.ok, body };
}
