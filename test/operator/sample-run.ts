/**
 * The life of sample manifests on the sandbox: applied, Ready, read and applied again without a write, deleted. The
 * cluster is the embedded one or a real API server.
 */
import { kindOf } from '../../runtime/api/kinds.ts';
import { catalogueModel } from '../../runtime/arm-kinds/catalogue-kind.ts';
import { annotations } from '../../runtime/arm-kinds/names.ts';
import type { KubeObject, ResourceType } from '../../runtime/kube/client/types.ts';
import type { EmbeddedAzure } from '../../sandbox/azure/embedded-azure.ts';
import { MemoryDialect } from '../databases/memory-dialect.ts';
import { TestClient } from '../sandbox/azure/client.ts';
import { armKindOf, groupOf, nameOf } from './samples.ts';
import { condition, configMaps, secrets, until, type World } from './support.ts';

/** Where samples live: a cluster, its operator, and the Azure that both share. */
export interface SamplePlace {
  readonly azure: EmbeddedAzure;
  /** Applies the objects as a user does, and returns the message for each that the API server refuses. */
  apply(objects: readonly KubeObject[]): Promise<ReadonlyMap<KubeObject, string>>;
  find(object: KubeObject): Promise<KubeObject | undefined>;
  /** Names of the Secrets and ConfigMaps that are there; undefined where nothing collects what has lost its owner. */
  exported(): Promise<readonly string[] | undefined>;
  delete(objects: readonly KubeObject[]): Promise<void>;
  /** Annotates the objects so that the operator lets them go and leaves Azure as it is. */
  letGo(objects: readonly KubeObject[]): Promise<void>;
  startOperator(): Promise<{ stop(): Promise<void> }>;
}

/** What a sample did not do: each step that follows needs the one before. */
export type SampleStep = 'taken' | 'Ready' | 'read again' | 'idle' | 'gone' | 'let go' | 'gone in Azure';

/** A step that failed. */
export interface SampleFailure {
  /** As `nameOf`; a request's path or a Secret's name where no sample is known for it. */
  readonly sample: string;
  readonly failed: SampleStep;
  readonly detail: string;
}

/** The type of a sample under the version that it names. */
export function typeOf({ apiVersion, kind }: KubeObject): ResourceType {
  if (apiVersion === 'v1') return kind === 'Secret' ? secrets : configMaps;
  const [group = '', version = ''] = apiVersion.split('/');
  return { group, version, plural: kindOf(group, kind).plural, kind, namespaced: true };
}

/** The rule of `--operator-credential-scopes` that samples need: one for those of tenants and subscriptions, or none. */
export const scopesFor = (objects: readonly KubeObject[]): string =>
  objects.some((object) => /^(entra|quota|subscription)\./.test(groupOf(object))) ? '*=/' : '';

/** A merge patch with which the operator lets an object go. */
export const detached = { metadata: { annotations: { [annotations.reconcilePolicy]: 'detach-on-delete' } } };

/** The embedded cluster of a world, with databases in memory. `env` as of `startOperator`. */
export function embeddedPlace(world: World, env: Record<string, string> = {}): SamplePlace {
  const databases = { dialect: new MemoryDialect() };
  return {
    azure: world.azure,
    async apply(objects) {
      const refused = new Map<KubeObject, string>();
      for (const object of objects) {
        await world.client
          .apply(typeOf(object), object, { fieldManager: 'test', force: true })
          .catch((error: Error) => refused.set(object, error.message));
      }
      return refused;
    },
    find: (object) => world.client.tryGet(typeOf(object), object.metadata),
    async exported() {
      const pages = await Promise.all([secrets, configMaps].map((type) => world.client.list(type)));
      return pages.flatMap(({ items }, index) =>
        items.map(({ metadata }) => `${['Secret', 'ConfigMap'][index]} ${metadata.name}`),
      );
    },
    async delete(objects) {
      for (const object of objects) {
        if (!(await world.client.tryGet(typeOf(object), object.metadata))) continue;
        // Kubernetes deletes what is inside another object with that one.
        await world.client.delete(typeOf(object), object.metadata).catch(() => undefined);
      }
    },
    async letGo(objects) {
      for (const object of objects) {
        await world.client.patch(typeOf(object), object.metadata, { type: 'merge', body: detached });
      }
    },
    startOperator: () => world.startOperator(env, { databases }),
  };
}

/** Polls the objects until it holds for each; those for which it does not hold in time, with what was found last. */
async function forAll(
  place: SamplePlace,
  objects: readonly KubeObject[],
  holds: (found: KubeObject | undefined) => boolean,
  limitMs: number,
): Promise<Map<KubeObject, KubeObject | undefined>> {
  const open = new Map<KubeObject, KubeObject | undefined>(objects.map((object) => [object, undefined]));
  const check = async () => {
    for (const object of [...open.keys()]) {
      const found = await place.find(object);
      if (holds(found)) open.delete(object);
      else open.set(object, found);
    }
    return open.size === 0;
  };
  await until('it holds for all', check, limitMs).catch(() => undefined);
  return open;
}

const isGone = (object: KubeObject | undefined) => object === undefined;
const isReady = (object: KubeObject | undefined) => condition(object)?.status === 'True';
const armIdOf = (object: KubeObject | undefined) => String(object?.['status']?.id ?? '');

/**
 * Takes the objects through their life and returns what failed. `known` are samples that fail: nobody waits for these.
 */
export async function runSamples(
  place: SamplePlace,
  objects: readonly KubeObject[],
  limitMs = 120_000,
  known: ReadonlySet<string> = new Set(),
): Promise<SampleFailure[]> {
  const { journal } = place.azure;
  allowManyRequests(place.azure);
  const failures: SampleFailure[] = [];
  const fail = (object: KubeObject, failed: SampleStep, detail: string) =>
    failures.push({ sample: nameOf(object), failed, detail });

  const given = new Set(await place.exported());
  const refused = await place.apply(objects);
  for (const [object, message] of refused) fail(object, 'taken', message);
  const resources = objects.filter((object) => armKindOf(object)?.arm && !refused.has(object));

  const operator = await place.startOperator();
  const awaited = resources.filter((object) => !known.has(nameOf(object)));
  await forAll(place, awaited, isReady, limitMs);
  await operator.stop();
  const ready = new Map<KubeObject, KubeObject>();
  for (const object of resources) {
    const found = await place.find(object);
    if (found && isReady(found)) ready.set(object, found);
    else fail(object, 'Ready', JSON.stringify(condition(found) ?? 'no condition'));
  }

  // A new operator reads each resource in Azure again.
  const mark = journal.entries({}).at(-1)?.seq ?? 0;
  const next = await place.startOperator();
  const after = (methods: RegExp) =>
    journal.entries({ after: mark }).filter(({ service, method }) => /arm|graph/.test(service) && methods.test(method));
  const unread = () => {
    const paths = after(/^(GET|HEAD)$/).map(({ path }) => decodeURIComponent(path).toLowerCase());
    return [...ready].filter(([object, found]) => {
      const service = armKindOf(object)?.arm.dataPlane?.service ?? 'arm';
      const id = armIdOf(found).toLowerCase();
      // Graph has its own address for a group, with the last segment of the id; a database has no requests.
      const address = service === 'graph' ? id.slice(id.lastIndexOf('/') + 1) : id;
      return /arm|graph/.test(service) && !paths.some((path) => path.includes(address));
    });
  };
  await until('all were read again', async () => unread().length === 0, limitMs).catch(() => undefined);
  for (const [object, found] of unread()) fail(object, 'read again', armIdOf(found));
  await place.apply([...ready.keys()]);
  for (const [object, { metadata }] of ready) {
    const generation = (await place.find(object))?.metadata.generation;
    if (generation !== metadata.generation)
      fail(object, 'idle', `generation ${metadata.generation}, then ${generation}`);
  }

  const deleted = journal.entries({}).at(-1)?.seq ?? 0;
  await place.delete(resources);
  await forAll(
    place,
    resources.filter((object) => !known.has(nameOf(object))),
    isGone,
    limitMs,
  );
  const staying: KubeObject[] = [];
  for (const object of resources) {
    const found = await place.find(object);
    if (!found) continue;
    staying.push(object);
    fail(object, 'gone', JSON.stringify(condition(found)));
  }
  await place.letGo(staying);
  for (const [object] of await forAll(place, staying, isGone, limitMs)) fail(object, 'let go', 'still there');
  await next.stop();
  const sent = [...after(/^(PUT|PATCH)$/), ...after(/^DELETE$/).filter(({ seq }) => seq <= deleted)];
  const byId = new Map([...ready].map(([object, found]) => [armIdOf(found).toLowerCase(), object]));
  for (const { method, path } of sent) {
    const object = byId.get(decodeURIComponent(path).toLowerCase());
    if (object) fail(object, 'idle', `${method} ${path}`);
    // What did not become Ready is tried again.
    else if (ready.size === resources.length) failures.push({ sample: path, failed: 'idle', detail: method });
  }

  const portal = new TestClient(place.azure);
  for (const [object, found] of ready) {
    const kind = armKindOf(object);
    const id = armIdOf(found);
    const isLetGo = found.metadata.annotations?.[annotations.reconcilePolicy] === 'detach-on-delete';
    if (!kind || kind.arm.dataPlane || isLetGo || staying.includes(object)) continue;
    const { status } = await portal.arm('GET', encodeURI(id), catalogueModel(kind).apiVersion(found));
    // 405: the type has no GET.
    if (status !== 404 && status !== 405) fail(object, 'gone in Azure', `${status} ${id}`);
  }
  await purgeVaults(portal);
  await portal.close();
  const inputs = new Set(objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`));
  let left: readonly string[] = [];
  const collected = async () => {
    left = (await place.exported())?.filter((name) => !given.has(name) && !inputs.has(name)) ?? [];
    left = left.filter((name) => name !== 'Secret azimuth-operator-fingerprints');
    return left.length === 0;
  };
  await until('exports are collected', collected, 20_000).catch(() => undefined);
  for (const name of left) failures.push({ sample: name, failed: 'gone', detail: 'exported' });
  await place.delete(objects.filter((object) => !resources.includes(object) && !refused.has(object)));
  return failures;
}

/** Takes away Azure's limits of requests, which hundreds of objects at once reach. */
export function allowManyRequests({ throttle }: EmbeddedAzure): void {
  for (const bucket of Object.values(throttle.limits)) Object.assign(bucket, { size: 1e6, refillPerSecond: 1e6 });
  throttle.reset();
}

/** Azure keeps a deleted vault and its name, which the next sample may want. */
async function purgeVaults(portal: TestClient): Promise<void> {
  const { subscriptionId } = portal.azure;
  const deleted = `/subscriptions/${subscriptionId}/providers/Microsoft.KeyVault/deletedVaults`;
  const { body } = await portal.arm('GET', deleted, '2023-07-01');
  for (const { id } of body.value as { id: string }[]) await portal.arm('POST', `${id}/purge`, '2023-07-01');
}
