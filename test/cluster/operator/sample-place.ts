import { createKubeClient } from '../../../runtime/kube/client/client.ts';
import type { KubeObject } from '../../../runtime/kube/client/types.ts';
import { loadKubeConnection } from '../../../runtime/kube/config/kubeconfig.ts';
import { detached, type SamplePlace, typeOf } from '../../operator/samples/sample-place.ts';
import { configMaps, secrets } from '../../operator/support.ts';
import { kubectl, tryKubectl } from '../kubectl.ts';
import type { InstalledOperator } from './installed-operator.ts';

const list = (items: readonly KubeObject[]) => JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
/** As kubectl names an object. */
const nameOf = ({ apiVersion, kind, metadata }: KubeObject) =>
  `${[kind.toLowerCase(), ...(apiVersion === 'v1' ? [] : [apiVersion.split('/')[0]])].join('.')}/${metadata.name}`;

export interface ClusterPlace extends SamplePlace {
  /** As `apply`, and the API server stores nothing. */
  tryApply: SamplePlace['apply'];
  close(): Promise<void>;
}

/** The API server that KUBECONFIG names, with kubectl as the user and an installed operator. */
export function clusterPlace(installed: InstalledOperator): ClusterPlace {
  const client = createKubeClient(loadKubeConnection({}));
  let started = false;
  return {
    azure: installed.azure,
    apply: (objects) => apply(objects),
    tryApply: (objects) => apply(objects, '--dry-run=server'),
    find: (object) => client.tryGet(typeOf(object), object.metadata),
    /** Collects what has lost its owner: no controller manager runs. */
    async exported() {
      const left: string[] = [];
      for (const type of [secrets, configMaps]) {
        for (const { metadata } of (await client.list(type, { namespace: 'default' })).items) {
          if (metadata.ownerReferences?.length) await client.delete(type, metadata);
          else left.push(`${type.kind} ${metadata.name}`);
        }
      }
      return left;
    },
    async delete(objects) {
      if (objects.length === 0) return;
      await kubectl(['delete', '--ignore-not-found', '--wait=false', ...objects.map(nameOf)]);
    },
    async letGo(objects) {
      for (const object of objects)
        await client.patch(typeOf(object), object.metadata, { type: 'merge', body: detached });
    },
    async startOperator() {
      if (started) await installed.restart();
      started = true;
      return { stop: async () => undefined };
    },
    close: () => client.close(),
  };
}

/** Applies objects; those that the API server refuses, with its message. */
async function apply(objects: readonly KubeObject[], ...flags: readonly string[]): Promise<Map<KubeObject, string>> {
  // Four samples have fields that ASO's definitions have not either, and kubectl would refuse these.
  const send = (some: readonly KubeObject[]) =>
    tryKubectl(['apply', '--validate=false', ...flags, '-f', '-'], list(some));
  const refused = new Map<KubeObject, string>();
  const { status, stdout } = await send(objects);
  if (status === 0) return refused;
  for (const object of objects.filter((each) => !stdout.includes(`${nameOf(each)} `))) {
    const alone = await send([object]);
    if (alone.status !== 0) refused.set(object, alone.stderr);
  }
  return refused;
}
