import { crdManifest } from '../../runtime/api/crd.ts';
import { kindOf, resourceOf } from '../../runtime/api/kinds.ts';
import type { KindDefinition } from '../../runtime/api/types.ts';
import { createKubeClient } from '../../runtime/kube/client/client.ts';
import type { KubeClient, KubeObject, ResourceType } from '../../runtime/kube/client/types.ts';
import { loadKubeConnection } from '../../runtime/kube/config/kubeconfig.ts';
import { type EmbeddedKube, startEmbeddedKube } from '../../sandbox/kube/index.ts';
import { customResourceDefinitions } from '../conformance/resources.ts';
import { type Scratch, scratch } from '../fakes/scratch.ts';

const kinds = [
  kindOf('resources.azure.com', 'ResourceGroup'),
  kindOf('storage.azure.com', 'StorageAccount'),
  kindOf('aadpodidentity.k8s.io', 'AzureIdentity'),
  kindOf('aadpodidentity.k8s.io', 'AzureIdentityBinding'),
];
export const [groups, accounts, identities, bindings] = kinds.map(resourceOf) as [
  ResourceType,
  ResourceType,
  ResourceType,
  ResourceType,
];
export const core = (plural: string, kind: string, namespaced = true): ResourceType => ({
  group: '',
  version: 'v1',
  plural,
  kind,
  namespaced,
});
const rbac = { group: 'rbac.authorization.k8s.io', version: 'v1' } as const;

export interface ViewWorld {
  readonly kube: EmbeddedKube;
  readonly client: KubeClient;
  readonly files: Scratch;
  /** A kubeconfig of the administrator. */
  readonly kubeconfig: string;
  /** Creates an object, and its status beside it. */
  put(type: ResourceType, object: KubeObject): Promise<KubeObject>;
  setStatus(type: ResourceType, namespace: string, name: string, status: object): Promise<void>;
  /** A service account with these rules, in one namespace or in all. */
  reader(name: string, rules: readonly object[], namespace?: string): Promise<{ token: string; kubeconfig: string }>;
  close(): Promise<void>;
}

/** An embedded cluster with a few kinds of the view, and `more`; no program writes in it. */
export async function startViewWorld(more: readonly KindDefinition[] = []): Promise<ViewWorld> {
  const kube = await startEmbeddedKube();
  const files = scratch();
  const kubeconfig = files.write('admin', kube.adminKubeconfig);
  const client = createKubeClient(loadKubeConnection({ kubeconfig }));
  for (const kind of [...kinds, ...more]) {
    const definition = crdManifest(kind, { versions: 'newest' }) as unknown as KubeObject;
    await client.create(customResourceDefinitions, definition);
  }
  const create = (type: ResourceType, kind: string, metadata: object, rest: object = {}) => {
    const apiVersion = type.group === '' ? type.version : `${type.group}/${type.version}`;
    return client.create(type, { apiVersion, kind, metadata, ...rest } as KubeObject);
  };
  for (const name of ['demo', 'other', 'labels'])
    await create(core('namespaces', 'Namespace', false), 'Namespace', { name });
  const setStatus = async (type: ResourceType, namespace: string, name: string, status: object) => {
    const patch = { type: 'merge', body: { status } } as const;
    await client.patch(type, { namespace, name }, patch, { subresource: 'status' });
  };
  return {
    kube,
    client,
    files,
    kubeconfig,
    setStatus,
    async put(type, { status, ...object }) {
      const { uid: _, generation: __, ...metadata } = object.metadata;
      const apiVersion = type.group === '' ? type.version : `${type.group}/${type.version}`;
      const created = await client.create(type, { ...object, apiVersion, metadata } as KubeObject);
      if (status) await setStatus(type, metadata.namespace ?? '', metadata.name, status);
      return created;
    },
    async reader(name, rules, namespace) {
      const subjects = [{ kind: 'ServiceAccount', namespace: 'default', name }];
      await create(core('serviceaccounts', 'ServiceAccount'), 'ServiceAccount', { namespace: 'default', name });
      const scope = namespace === undefined ? {} : { namespace };
      const [role, plural] = namespace === undefined ? ['ClusterRole', 'clusterroles'] : ['Role', 'roles'];
      const type = { ...rbac, namespaced: namespace !== undefined };
      await create({ ...type, plural, kind: role }, role, { name, ...scope }, { rules });
      const roleRef = { apiGroup: rbac.group, kind: role, name };
      const binding = `${role}Binding`;
      await create(
        { ...type, plural: `${binding.toLowerCase()}s`, kind: binding },
        binding,
        { name, ...scope },
        { roleRef, subjects },
      );
      const account = { namespace: 'default', name };
      return {
        token: await kube.tokenFor(account),
        kubeconfig: files.write(`kubeconfig-${name}`, await kube.kubeconfigFor(account)),
      };
    },
    async close() {
      await client.close();
      await kube.close();
      files.remove();
    },
  };
}
