/** The life of ASO v2's samples on the sandbox: applied, Ready, idle, deleted. */
import { kindOf } from '../../runtime/api/kinds.ts';
import type { KubeObject, ResourceType } from '../../runtime/kube/client/types.ts';
import { MemoryDialect } from '../databases/memory-dialect.ts';
import { armKindOf, keyOf } from './samples.ts';
import { condition, configMaps, secrets, until, type World } from './support.ts';

/** The type of a sample under the version that it names. */
export function typeOf({ apiVersion, kind }: KubeObject): ResourceType {
  if (apiVersion === 'v1') return kind === 'Secret' ? secrets : configMaps;
  const [group = '', version = ''] = apiVersion.split('/');
  return { group, version, plural: kindOf(group, kind).plural, kind, namespaced: true };
}

const requests = (world: World, methods: RegExp) =>
  world.azure.journal.entries({ service: 'arm' }).filter(({ method }) => methods.test(method));
const writes = (world: World) => requests(world, /^(PUT|DELETE)$/);
const reads = (world: World) => requests(world, /^(GET|HEAD)$/);

/** Polls all objects at once until it holds for each; names those for which it does not hold in time. */
async function forAll(
  world: World,
  objects: readonly KubeObject[],
  what: string,
  holds: (object: KubeObject | undefined) => boolean,
  limitMs: number,
): Promise<void> {
  const open = new Map(objects.map((object) => [keyOf(object), object]));
  const last = new Map<string, unknown>();
  await until(
    what,
    async () => {
      for (const [key, object] of open) {
        const found = await world.client.tryGet(typeOf(object), object.metadata);
        last.set(key, condition(found) ?? 'no condition');
        if (holds(found)) open.delete(key);
      }
      return open.size === 0;
    },
    limitMs,
  ).catch((error: Error) => {
    throw new Error(
      `${error.message}: ${[...open.keys()].map((key) => `${key} ${JSON.stringify(last.get(key))}`).join('\n')}`,
    );
  });
}

export interface SampleRun {
  /** Requests that changed Azure while the operator read everything again. */
  readonly writesWhileIdle: string[];
  /** ARM ids that are still there after all objects are deleted. */
  readonly left: string[];
}

/** Takes the objects through their life. Fails where one is refused, or does not become Ready, or does not go. */
export async function runSamples(
  world: World,
  objects: readonly KubeObject[],
  limitMs = 120_000,
  env: Record<string, string> = {},
): Promise<SampleRun> {
  for (const object of objects) await world.client.apply(typeOf(object), object, { fieldManager: 'test', force: true });
  const resources = objects.filter((object) => armKindOf(object)?.arm);
  const databases = { dialect: new MemoryDialect() };
  const operator = await world.startOperator(env, { databases });
  await forAll(world, resources, 'all are Ready', (found) => condition(found)?.status === 'True', limitMs);
  await operator.stop();
  const before = writes(world).length;
  // A new operator reads each resource in Azure again.
  const since = reads(world).length;
  const next = await world.startOperator(env, { databases });
  await until('all were read again', async () => reads(world).length - since >= resources.length, limitMs);
  const writesWhileIdle = writes(world)
    .slice(before)
    .map(({ method, path }) => `${method} ${path}`);
  // Kubernetes deletes what is inside another object with that one.
  for (const object of resources) {
    if (await world.client.tryGet(typeOf(object), object.metadata)) {
      await world.client.delete(typeOf(object), object.metadata).catch(() => undefined);
    }
  }
  await forAll(world, resources, 'all are gone', (found) => found === undefined, limitMs);
  await next.stop();
  const group = `/subscriptions/${world.azure.subscriptionId}/resourceGroups`;
  const { body } = await world.portal.arm('GET', group, '2021-04-01');
  return { writesWhileIdle, left: (body['value'] as { id: string }[]).map(({ id }) => id) };
}
