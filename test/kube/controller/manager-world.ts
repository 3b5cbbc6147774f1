import { HealthServer } from '../../../runtime/base/observability/health.ts';
import type { ReconcileKey } from '../../../runtime/kube/cache/types.ts';
import { Controller } from '../../../runtime/kube/controller/controller.ts';
import { Manager } from '../../../runtime/kube/controller/manager.ts';
import { runtimeOf, widgets } from '../../fakes/kube-objects.ts';
import { LocalKube } from '../../fakes/local-kube.ts';

/** An API server with widgets, and programs that reconcile them, which run until `close`. */
export class ManagerWorld {
  readonly kube = new LocalKube();
  readonly runtime = runtimeOf(this.kube);
  readonly stop = new AbortController();
  readonly running: Promise<unknown>[] = [];

  async close(): Promise<void> {
    this.stop.abort();
    await Promise.all(this.running);
  }

  program(reconcile: (request: ReconcileKey, signal: AbortSignal) => Promise<undefined>, options = {}) {
    const own = runtimeOf(this.kube);
    const health = new HealthServer(own.metrics);
    const manager = new Manager(own, { name: 'operator', health, ...options });
    const cache = manager.watch({ type: widgets, backoff: { initialMs: 5, maxMs: 20 } });
    manager.addController(new Controller(own, { name: 'widget', primary: cache, reconcile, graceMs: 2000 }));
    const end = new AbortController();
    const start = () => {
      const result = manager.run(AbortSignal.any([end.signal, this.stop.signal]));
      this.running.push(result.catch(() => undefined));
      return result;
    };
    return { manager, cache, health, start, end };
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
