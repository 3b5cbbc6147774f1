/**
 * Runs inside the network namespace that plays the node: an embedded Kubernetes API with the pods of the test, whose
 * addresses are those of the other namespaces. Writes the daemon's kubeconfig to the file named by the first argument,
 * prints one line when it is ready, and runs until it is killed.
 */
import { writeFileSync } from 'node:fs';
import { crdManifest } from '../../../runtime/api/crd.ts';
import { podIdentityKinds } from '../../../runtime/api/kinds.ts';
import { nmiPermissions } from '../../../runtime/api/permissions.ts';
import { createKubeClient } from '../../../runtime/kube/client.ts';
import { loadKubeConnection } from '../../../runtime/kube/kubeconfig.ts';
import { apiVersionOf, type KubeObject, type ResourceType } from '../../../runtime/kube/types.ts';
import { assignedType, bindingsType, identitiesType, podsType } from '../../../runtime/nmi/objects.ts';
import { startEmbeddedKube } from '../../../runtime/sandbox/kube/index.ts';
import { customResourceDefinitions, namespaces, serviceAccounts } from '../../conformance/resources.ts';

const [file = '', ...addresses] = process.argv.slice(2);
const kube = await startEmbeddedKube();
const admin = `${file}.admin`;
writeFileSync(admin, kube.adminKubeconfig, { mode: 0o600 });
const client = createKubeClient(loadKubeConnection({ kubeconfig: admin }));
const rbac = { group: 'rbac.authorization.k8s.io', version: 'v1', namespaced: false } as const;
const types = {
  role: { ...rbac, plural: 'clusterroles', kind: 'ClusterRole' },
  roleBinding: { ...rbac, plural: 'clusterrolebindings', kind: 'ClusterRoleBinding' },
} as const satisfies Record<string, ResourceType>;
const create = (type: ResourceType, object: object) =>
  client.create(type, { apiVersion: apiVersionOf(type), kind: type.kind, ...object } as KubeObject);

for (const kind of podIdentityKinds)
  await client.create(customResourceDefinitions, crdManifest(kind) as unknown as KubeObject);
const namespace = 'azimuth-system';
await create(namespaces, { metadata: { name: namespace } });
await create(serviceAccounts, { metadata: { namespace, name: 'nmi' } });
await create(types.role, { metadata: { name: 'nmi' }, rules: nmiPermissions().cluster });
await create(types.roleBinding, {
  metadata: { name: 'nmi' },
  roleRef: { apiGroup: rbac.group, kind: 'ClusterRole', name: 'nmi' },
  subjects: [{ kind: 'ServiceAccount', namespace, name: 'nmi' }],
});

const metadata = (name: string) => ({ namespace: 'default', name });
for (const [index, ips] of addresses.entries()) {
  const name = `pod${index + 1}`;
  const podIPs = ips.split(',').map((ip) => ({ ip }));
  const spec = { type: 0, clientID: `client-${name}`, resourceID: '' };
  const identity = { apiVersion: apiVersionOf(identitiesType), kind: 'AzureIdentity', metadata: metadata(name), spec };
  await create(identitiesType, identity);
  await create(bindingsType, { metadata: metadata(name), spec: { azureIdentity: name, selector: name } });
  await create(assignedType, {
    metadata: { ...metadata(`${name}-default-${name}`), labels: { nodename: 'n1' } },
    spec: { pod: name, podNamespace: 'default', nodename: 'n1', azureIdentityRef: identity },
    status: { status: 'Assigned' },
  });
  const pod = await create(podsType, {
    metadata: { ...metadata(name), labels: { aadpodidbinding: name } },
    spec: { nodeName: 'n1', containers: [{ name: 'c', image: 'none' }] },
  });
  const status = { phase: 'Running', podIP: podIPs[0]?.ip, podIPs };
  await client.replace(podsType, { ...pod, status }, { subresource: 'status' });
}
writeFileSync(file, kube.kubeconfigFor({ namespace, name: 'nmi' }), { mode: 0o600 });
process.stdout.write('ready\n');
