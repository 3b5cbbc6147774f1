import { crdManifest, type VersionChoice } from '../../runtime/api/crd.ts';
import type { KindDefinition } from '../../runtime/api/types.ts';
import { createKubeClient } from '../../runtime/kube/client/client.ts';
import { apiVersionOf, type KubeClient, type KubeObject, type ResourceType } from '../../runtime/kube/client/types.ts';
import { loadKubeConnection } from '../../runtime/kube/config/kubeconfig.ts';
import { type EmbeddedKube, type EmbeddedKubeOptions, startEmbeddedKube } from '../../sandbox/kube/index.ts';
import {
  clusterRoleBindings,
  clusterRoles,
  customResourceDefinitions,
  namespaces,
  roleBindings,
  roles,
  serviceAccounts,
} from '../conformance/resources.ts';
import { reportWithFailedWaits } from './eventually.ts';
import { rememberingReads } from './last-reads.ts';
import { type Scratch, scratch } from './scratch.ts';

/** What a cluster serves from its beginning. */
export interface ClusterOptions {
  /** Kinds whose definitions it has. @default none */
  readonly kinds?: readonly KindDefinition[];
  /** @default 'newest'; all versions cost each test file seconds */
  readonly versions?: VersionChoice;
  /** Namespaces beside `default`. @default none */
  readonly namespaces?: readonly string[];
  readonly kube?: EmbeddedKubeOptions;
}

/** An embedded Kubernetes and its administrator. */
export interface Cluster extends AsyncDisposable {
  readonly kube: EmbeddedKube;
  /** The administrator's. A wait that fails prints the objects that it read last. */
  readonly client: KubeClient;
  readonly files: Scratch;
  /** File with a kubeconfig of the administrator. */
  readonly kubeconfig: string;
  /** Another client of the administrator, which the caller closes. */
  newClient(): KubeClient;
  /** Creates an object, and its status beside it. */
  put(type: ResourceType, object: KubeObject): Promise<KubeObject>;
  setStatus(type: ResourceType, namespace: string, name: string, status: object): Promise<void>;
  /** A service account of `default` with these rules, in one namespace or in all. */
  reader(name: string, rules: readonly object[], namespace?: string): Promise<{ token: string; kubeconfig: string }>;
  close(): Promise<void>;
}

/** Starts an embedded Kubernetes; no program runs in it. */
export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const kube = await startEmbeddedKube(options.kube);
  const files = scratch();
  const kubeconfig = files.write('kubeconfig', kube.adminKubeconfig);
  const newClient = () => createKubeClient(loadKubeConnection({ kubeconfig }));
  const { client, lastReads } = rememberingReads(newClient());
  const endReports = reportWithFailedWaits(lastReads);
  const { kinds = [], versions = 'newest' } = options;
  for (const kind of kinds)
    await client.create(customResourceDefinitions, crdManifest(kind, { versions }) as unknown as KubeObject);
  const create = (type: ResourceType, metadata: KubeObject['metadata'], rest: object = {}) =>
    client.create(type, { apiVersion: apiVersionOf(type), kind: type.kind, metadata, ...rest });
  for (const name of options.namespaces ?? []) await create(namespaces, { name });
  const setStatus: Cluster['setStatus'] = async (type, namespace, name, status) => {
    await client.patch(type, { namespace, name }, { type: 'merge', body: { status } }, { subresource: 'status' });
  };
  const close = async () => {
    endReports();
    await client.close();
    await kube.close();
    files.remove();
  };
  return {
    kube,
    client,
    files,
    kubeconfig,
    newClient,
    setStatus,
    async put(type, { status, ...object }) {
      const { uid: _, generation: __, ...metadata } = object.metadata;
      const created = await client.create(type, { ...object, apiVersion: apiVersionOf(type), metadata } as KubeObject);
      if (status) await setStatus(type, metadata.namespace ?? '', metadata.name, status);
      return created;
    },
    async reader(name, rules, namespace) {
      const account = { namespace: 'default', name };
      await create(serviceAccounts, account);
      const metadata = { name, ...(namespace !== undefined && { namespace }) };
      const [role, binding] = namespace === undefined ? [clusterRoles, clusterRoleBindings] : [roles, roleBindings];
      await create(role, metadata, { rules });
      const roleRef = { apiGroup: role.group, kind: role.kind, name };
      await create(binding, metadata, { roleRef, subjects: [{ kind: 'ServiceAccount', ...account }] });
      return {
        token: await kube.tokenFor(account),
        kubeconfig: files.write(`kubeconfig-${name}`, await kube.kubeconfigFor(account)),
      };
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
