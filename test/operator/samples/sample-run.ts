/** The life of sample manifests: applied, Ready, read and applied again without a write, deleted. */
import { catalogueModel } from '../../../runtime/arm-kinds/catalogue-kind.ts';
import { annotations } from '../../../runtime/arm-kinds/names.ts';
import type { KubeObject } from '../../../runtime/kube/client/types.ts';
import type { EmbeddedAzure } from '../../../sandbox/azure/embedded-azure.ts';
import { untilEach } from '../../fakes/eventually.ts';
import { TestClient } from '../../sandbox/azure/client.ts';
import { condition, until } from '../support.ts';
import { allowManyRequests, type SamplePlace } from './sample-place.ts';
import { armKindOf, nameOf } from './samples.ts';

/** What a sample did not do: each step that follows needs the one before. */
export type SampleStep = 'taken' | 'Ready' | 'read again' | 'idle' | 'gone' | 'let go' | 'gone in Azure';

/** A step that failed. */
export interface SampleFailure {
  /** As `nameOf`; a request's path or a Secret's name where no sample is known for it. */
  readonly sample: string;
  readonly failed: SampleStep;
  readonly detail: string;
}

/**
 * Takes the objects through their life and returns what failed. `known` are samples that fail: nobody waits for these.
 */
export async function runSamples(
  place: SamplePlace,
  objects: readonly KubeObject[],
  limitMs = 300_000,
  known: ReadonlySet<string> = new Set(),
): Promise<SampleFailure[]> {
  const run = new SampleRun(place, limitMs, known);
  allowManyRequests(place.azure);
  const given = new Set(await place.exported());
  const taken = await run.apply(objects);
  const resources = taken.filter((object) => armKindOf(object)?.arm);

  const operator = await place.startOperator();
  await run.waitUntilReady(resources);
  await operator.stop();
  const ready = await run.findReady(resources);

  const requests = new RequestLog(place.azure);
  const next = await place.startOperator();
  await run.readAgain(ready, requests);
  await run.applyAgain(ready);
  const deletedAt = requests.last();
  const staying = await run.delete(resources);
  await next.stop();

  run.checkWrites(ready, requests.writes(deletedAt), ready.size === resources.length);
  await run.checkAzure(new Map([...ready].filter(([object]) => !staying.includes(object))));
  const inputs = objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  await run.checkExports(new Set([...given, ...inputs, 'Secret azimuth-operator-fingerprints']));
  await place.delete(taken.filter((object) => !resources.includes(object)));
  return run.failures;
}

/** The objects as the cluster has them, by the sample. */
type Found = ReadonlyMap<KubeObject, KubeObject>;

/** The steps of `runSamples`. Each one records what failed. */
class SampleRun {
  readonly failures: SampleFailure[] = [];
  readonly #place: SamplePlace;
  readonly #limitMs: number;
  readonly #known: ReadonlySet<string>;

  constructor(place: SamplePlace, limitMs: number, known: ReadonlySet<string>) {
    this.#place = place;
    this.#limitMs = limitMs;
    this.#known = known;
  }

  /** The objects that the API server takes. */
  async apply(objects: readonly KubeObject[]): Promise<KubeObject[]> {
    const refused = await this.#place.apply(objects);
    for (const [object, message] of refused) this.#fail(object, 'taken', message);
    return objects.filter((object) => !refused.has(object));
  }

  /** Ends in time also where some do not become Ready. */
  async waitUntilReady(resources: readonly KubeObject[]): Promise<void> {
    await this.#wait(this.#awaited(resources), isReady);
  }

  /** The resources that are Ready. */
  async findReady(resources: readonly KubeObject[]): Promise<Found> {
    const ready = new Map<KubeObject, KubeObject>();
    for (const object of resources) {
      const found = await this.#place.find(object);
      if (found && isReady(found)) ready.set(object, found);
      else this.#fail(object, 'Ready', JSON.stringify(condition(found) ?? 'no condition'));
    }
    return ready;
  }

  /** A new operator reads each resource in Azure again. */
  async readAgain(ready: Found, requests: RequestLog): Promise<void> {
    const unread = () => {
      const paths = requests.reads();
      return [...ready].filter(([object, found]) => {
        const service = armKindOf(object)?.arm.dataPlane?.service ?? 'arm';
        const id = armIdOf(found).toLowerCase();
        // Graph has its own address for a group, with the last segment of the id; a database has no requests.
        const address = service === 'graph' ? id.slice(id.lastIndexOf('/') + 1) : id;
        return /arm|graph/.test(service) && !paths.some((path) => path.includes(address));
      });
    };
    await until('all were read again', async () => unread().length === 0, this.#limitMs).catch(() => undefined);
    for (const [object, found] of unread()) this.#fail(object, 'read again', armIdOf(found));
  }

  /** The same manifests change no object. */
  async applyAgain(ready: Found): Promise<void> {
    await this.#place.apply([...ready.keys()]);
    for (const [object, { metadata }] of ready) {
      const generation = (await this.#place.find(object))?.metadata.generation;
      if (generation !== metadata.generation) {
        this.#fail(object, 'idle', `generation ${metadata.generation}, then ${generation}`);
      }
    }
  }

  /** Deletes the resources, and lets go those that Azure keeps. Returns the latter. */
  async delete(resources: readonly KubeObject[]): Promise<KubeObject[]> {
    await this.#place.delete(resources);
    await this.#wait(this.#awaited(resources), isGone);
    const staying: KubeObject[] = [];
    for (const object of resources) {
      const found = await this.#place.find(object);
      if (!found) continue;
      staying.push(object);
      this.#fail(object, 'gone', JSON.stringify(condition(found)));
    }
    await this.#place.letGo(staying);
    for (const object of await this.#wait(staying, isGone)) this.#fail(object, 'let go', 'still there');
    return staying;
  }

  /** The new operator had nothing to write. What did not become Ready is tried again. */
  checkWrites(ready: Found, writes: readonly Write[], allAreReady: boolean): void {
    const byId = new Map([...ready].map(([object, found]) => [armIdOf(found).toLowerCase(), object]));
    for (const { method, path } of writes) {
      const object = byId.get(decodeURIComponent(path).toLowerCase());
      if (object) this.#fail(object, 'idle', `${method} ${path}`);
      else if (allAreReady) this.failures.push({ sample: path, failed: 'idle', detail: method });
    }
  }

  /** Azure has none of these deleted resources any more. */
  async checkAzure(deleted: Found): Promise<void> {
    const portal = new TestClient(this.#place.azure);
    for (const [object, found] of deleted) {
      const kind = armKindOf(object);
      const id = armIdOf(found);
      const isLetGo = found.metadata.annotations?.[annotations.reconcilePolicy] === 'detach-on-delete';
      if (!kind || kind.arm.dataPlane || isLetGo) continue;
      const { status } = await portal.arm('GET', encodeURI(id), catalogueModel(kind).apiVersion(found));
      // 405: the type has no GET.
      if (status !== 404 && status !== 405) this.#fail(object, 'gone in Azure', `${status} ${id}`);
    }
    await purgeVaults(portal);
    await portal.close();
  }

  /** The cluster has collected the exported Secrets and ConfigMaps: all but those with these names. */
  async checkExports(others: ReadonlySet<string>): Promise<void> {
    let left: readonly string[] = [];
    const collected = async () => {
      left = (await this.#place.exported())?.filter((name) => !others.has(name)) ?? [];
      return left.length === 0;
    };
    await until('exports are collected', collected, this.#limitMs).catch(() => undefined);
    for (const name of left) this.failures.push({ sample: name, failed: 'gone', detail: 'exported' });
  }

  #fail(object: KubeObject, failed: SampleStep, detail: string): void {
    this.failures.push({ sample: nameOf(object), failed, detail });
  }

  #awaited(objects: readonly KubeObject[]): KubeObject[] {
    return objects.filter((object) => !this.#known.has(nameOf(object)));
  }

  /** Those of the objects for which it does not hold in time. */
  #wait(objects: readonly KubeObject[], holds: (found: KubeObject | undefined) => boolean): Promise<KubeObject[]> {
    return untilEach(objects, async (object) => holds(await this.#place.find(object)), this.#limitMs);
  }
}

const isGone = (object: KubeObject | undefined) => object === undefined;
const isReady = (object: KubeObject | undefined) => condition(object)?.status === 'True';
const armIdOf = (object: KubeObject | undefined) => String(object?.['status']?.id ?? '');

type Write = Pick<ReturnType<EmbeddedAzure['journal']['entries']>[number], 'method' | 'path'>;

/** The requests to Resource Manager and Graph since it was made. */
class RequestLog {
  readonly #journal: EmbeddedAzure['journal'];
  readonly #first: number;

  constructor({ journal }: EmbeddedAzure) {
    this.#journal = journal;
    this.#first = this.last();
  }

  /** The number of the last request to any service. */
  last(): number {
    return this.#journal.entries({}).at(-1)?.seq ?? 0;
  }

  /** The paths that were read, in lower case. */
  reads(): string[] {
    return this.#entries(/^(GET|HEAD)$/).map(({ path }) => decodeURIComponent(path).toLowerCase());
  }

  /** The writes: deletions only up to the request of this number. */
  writes(deletedAt: number): Write[] {
    return [...this.#entries(/^(PUT|PATCH)$/), ...this.#entries(/^DELETE$/).filter(({ seq }) => seq <= deletedAt)];
  }

  #entries(methods: RegExp) {
    const all = this.#journal.entries({ after: this.#first });
    return all.filter(({ service, method }) => /arm|graph/.test(service) && methods.test(method));
  }
}

/** Azure keeps a deleted vault and its name, which the next sample may want. */
async function purgeVaults(portal: TestClient): Promise<void> {
  const { subscriptionId } = portal.azure;
  const deleted = `/subscriptions/${subscriptionId}/providers/Microsoft.KeyVault/deletedVaults`;
  const { body } = await portal.arm('GET', deleted, '2023-07-01');
  for (const { id } of body.value as { id: string }[]) await portal.arm('POST', `${id}/purge`, '2023-07-01');
}
