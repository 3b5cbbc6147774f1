/** Where samples live: the embedded cluster of a test's world, or a real one, with its operator and the sandbox's Azure. */
import { kindOf } from '../../../runtime/api/kinds.ts';
import { annotations } from '../../../runtime/arm-kinds/names.ts';
import type { KubeObject, ResourceType } from '../../../runtime/kube/client/types.ts';
import type { EmbeddedAzure } from '../../../sandbox/azure/embedded-azure.ts';
import { MemoryDialect } from '../../databases/memory-dialect.ts';
import { configMaps, secrets, type World } from '../support.ts';
import { groupOf } from './samples.ts';

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

/** Takes away Azure's limits of requests, which hundreds of objects at once reach. */
export function allowManyRequests({ throttle }: EmbeddedAzure): void {
  for (const bucket of Object.values(throttle.limits)) Object.assign(bucket, { size: 1e6, refillPerSecond: 1e6 });
  throttle.reset();
}
