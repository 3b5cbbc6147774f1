/**
 * Runs inside the network namespace that plays the node: an embedded Kubernetes API with the pods of the test, whose
 * addresses are those of the other namespaces. Writes the daemon's kubeconfig to the file named by the first argument,
 * prints one line when it is ready, and runs until it is killed.
 */
import { writeFileSync } from 'node:fs';
import { crdManifest } from '../../../runtime/api/crd.ts';
import { podIdentityKinds } from '../../../runtime/api/kinds.ts';
import { nmiPermissions } from '../../../runtime/api/permissions/index.ts';
import { createKubeClient } from '../../../runtime/kube/client/client.ts';
import { apiVersionOf, type KubeObject, type ResourceType } from '../../../runtime/kube/client/types.ts';
import { loadKubeConnection } from '../../../runtime/kube/config/kubeconfig.ts';
import { startEmbeddedKube } from '../../../sandbox/kube/index.ts';
import { customResourceDefinitions, namespaces, serviceAccounts } from '../../conformance/resources.ts';
import { addPod } from './add-pod.ts';

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

for (const [index, ips] of addresses.entries()) await addPod(client, `pod${index + 1}`, ips.split(','));
writeFileSync(file, await kube.kubeconfigFor({ namespace, name: 'nmi' }), { mode: 0o600 });
process.stdout.write('ready\n');
