import { messageOf } from '../../base/errors.ts';
import type { Runtime } from '../../kube/cache/types.ts';
import type { KubeObject } from '../../kube/client/types.ts';
import { WorkQueue } from '../../kube/controller/work-queue.ts';
import { secretsType } from '../objects.ts';

interface Polled {
  readonly id: string;
  readonly namespace: string;
  readonly name: string;
  version: string | undefined;
  /** Undefined once a read succeeded. */
  notSynced: string | undefined;
}

/** Time between two reads of one Secret, milliseconds. */
const intervalMs = 60_000;
/** Shortest time between two reads, milliseconds. */
const pauseMs = 50;

/**
 * Polls the versions of Secrets: one read at a time, at most twenty a second; namespaces alternate. A Secret costs a
 * few hundred bytes of memory here, and a stream of a connection with a watch.
 */
export class SecretPoller {
  readonly #runtime: Runtime;
  readonly #changed: (id: string) => void;
  readonly #polled = new Map<string, Polled>();
  #running: { readonly queue: WorkQueue<Polled>; readonly stop: AbortController } | undefined;

  constructor(runtime: Runtime, changed: (id: string) => void) {
    this.#runtime = runtime;
    this.#changed = changed;
  }

  /** Starts polling a Secret. The result has its latest version. */
  add(id: string, { namespace, name }: { readonly namespace: string; readonly name: string }) {
    const polled: Polled = { id, namespace, name, version: undefined, notSynced: 'the first read is queued' };
    this.#polled.set(id, polled);
    this.#queue().add(polled);
    return { notSynced: () => polled.notSynced, version: () => polled.version };
  }

  /** Stops polling a Secret. */
  drop(id: string): void {
    this.#polled.delete(id);
    if (this.#polled.size === 0) this.close();
  }

  /** Stops polling all Secrets. */
  close(): void {
    this.#polled.clear();
    this.#running?.stop.abort();
    this.#running?.queue.close();
    this.#running = undefined;
  }

  #queue(): WorkQueue<Polled> {
    if (this.#running) return this.#running.queue;
    const { clock, metrics } = this.#runtime;
    const share = ({ namespace }: Polled) => namespace;
    const queue = new WorkQueue<Polled>({ name: 'identity-secrets', clock, metrics, id: ({ id }) => id, share });
    const stop = new AbortController();
    this.#running = { queue, stop };
    void this.#work(queue, stop.signal);
    return queue;
  }

  async #work(queue: WorkQueue<Polled>, signal: AbortSignal): Promise<void> {
    const { clock } = this.#runtime;
    for (let polled = await queue.take(); polled; polled = await queue.take()) {
      if (this.#polled.get(polled.id) === polled) await this.#read(queue, polled, signal);
      queue.done(polled);
      await clock.sleep(pauseMs, signal).catch(() => undefined);
    }
  }

  async #read(queue: WorkQueue<Polled>, polled: Polled, signal: AbortSignal): Promise<void> {
    const before = [polled.version, polled.notSynced];
    try {
      const { items } = await this.#runtime.client.list<KubeObject>(secretsType, {
        namespace: polled.namespace,
        fieldSelector: `metadata.name=${polled.name}`,
        metadataOnly: true,
        signal: AbortSignal.any([signal, AbortSignal.timeout(10_000)]),
      });
      polled.version = items[0]?.metadata.resourceVersion;
      polled.notSynced = undefined;
    } catch (error) {
      if (signal.aborted) return;
      polled.notSynced = messageOf(error);
    }
    queue.add(polled, { delayMs: intervalMs });
    if (before[0] !== polled.version || before[1] !== polled.notSynced) this.#changed(polled.id);
  }
}
