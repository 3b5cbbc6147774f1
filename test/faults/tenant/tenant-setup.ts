import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { resourceTypes } from '../../../runtime/api/kinds.ts';
import { definitionsEstablished, readManifests } from '../../../runtime/cli/demo/apply.ts';
import { podSpecOf } from '../../../runtime/cli/demo/pods/local-container.ts';
import { run } from '../../../runtime/cli/demo/programs/run.ts';
import type { DemoWorld } from '../../../runtime/cli/demo/world.ts';
import { serviceAccountsType } from '../../../runtime/kube/client/core-types.ts';
import type { KubeClient, KubeObject, ObjectKey, ResourceType } from '../../../runtime/kube/client/types.ts';
import { until } from '../../operator/support.ts';
import type { TestClient } from '../../sandbox/azure/client.ts';

/** The namespaces of the two tenants, and the names of their resource groups. */
export const [good, hostile] = ['good', 'hostile'] as const;

export const programNames = ['operator', 'identity', 'nmi', 'volumes'] as const;
export type ProgramName = (typeof programNames)[number];
/** The Deployments and DaemonSets of the programs. */
export type TenantWorkloads = Readonly<Record<ProgramName, KubeObject>>;

const kinds = ['resources', 'storage', 'managedidentity', 'authorization', 'keyvault'].map(
  (name) => `${name}.azure.com`,
);

/** Kinds of the profile that a tenant has no rights on. */
const withheld = ['azurepodidentityexceptions', 'azureassignedidentities'];

export const namespaces: ResourceType = {
  group: '',
  version: 'v1',
  plural: 'namespaces',
  kind: 'Namespace',
  namespaced: false,
};

const rbacGroup = 'rbac.authorization.k8s.io';
const ofCluster = { group: rbacGroup, version: 'v1', namespaced: false } as const;
const clusterRoles: ResourceType = { ...ofCluster, plural: 'clusterroles', kind: 'ClusterRole' };
const clusterRoleBindings: ResourceType = {
  ...ofCluster,
  plural: 'clusterrolebindings',
  kind: 'ClusterRoleBinding',
};

/** PUTs a resource and waits for the end of its operation; returns the answer to the PUT. */
// biome-ignore lint/suspicious/noExplicitAny: bodies of many types
export async function put(portal: TestClient, id: string, version: string, body: object): Promise<any> {
  const answer = await until('no operation is in the way', async () => {
    const sent = await portal.arm('PUT', id, version, { location: 'westeurope', ...body });
    return sent.status === 409 ? undefined : sent;
  });
  if (answer.status > 299) throw new Error(`PUT ${id}: ${answer.status} ${answer.text}`);
  const done = async () =>
    /^(Succeeded|undefined)$/.test(String((await portal.arm('GET', id, version)).body.properties?.provisioningState));
  await until(`${id} is there`, done);
  return answer.body;
}

/** Synthesizes and applies the manifests, and gives the programs' workloads with the flags of the profile. */
export async function applyManifests({
  directory,
  signal,
  client,
  applier,
  azure,
}: DemoWorld): Promise<TenantWorkloads> {
  const env = {
    AZIMUTH_PROGRAMS: 'operator;pod-identity;key-vault-volumes',
    AZIMUTH_KINDS: [...kinds, 'azimuth.dev'].map((group) => `${group}/*`).join(';'),
    AZIMUTH_VERSIONS: 'newest',
  };
  const output = join(directory, 'dist');
  await run(['node', 'main.ts'], { cwd: process.cwd(), env: { ...env, CDK8S_OUTDIR: output }, signal });
  const names = (await readdir(output)).filter((name) => name.endsWith('.k8s.yaml')).sort();
  const objects = await readManifests(names.map((name) => join(output, name)));
  for (const object of objects) await applier.apply(object);
  const definitions = objects.filter(({ kind }) => kind === 'CustomResourceDefinition');
  await definitionsEstablished(
    client,
    definitions.map(({ metadata }) => metadata.name),
  );
  const scopes = [good, hostile]
    .map((name) => `${name}=/subscriptions/${azure.subscriptionId}/resourceGroups/${name}`)
    .join(';');
  const profile = [
    { name: 'AZIMUTH_MULTI_TENANT', value: 'true' },
    { name: 'AZIMUTH_IDENTITY_SCOPES', value: scopes },
  ];
  return Object.fromEntries(
    programNames.map((name) => {
      const workload = objects.find(
        ({ kind, metadata }) => /^(Deployment|DaemonSet)$/.test(kind) && metadata.name === `azimuth-${name}`,
      );
      if (!workload) throw new Error(`The manifests have no workload azimuth-${name}`);
      const container = podSpecOf(workload).containers[0];
      container.env = [...(container.env ?? []), ...profile];
      if (name === 'operator') container.args.push(`--operator-credential-scopes=${scopes}`);
      return [name, workload];
    }),
  ) as TenantWorkloads;
}

/**
 * Lets the account `tenant` write all of the hostile namespace except the kinds that the profile withholds; returns a
 * token of it.
 */
export async function grantTenant(admin: KubeClient): Promise<string> {
  const rbac = { group: rbacGroup, version: 'v1', namespaced: true } as const;
  const metadata = { namespace: hostile, name: 'tenant' };
  const identities = resourceTypes.filter(
    ({ group, plural }) => group === 'aadpodidentity.k8s.io' && !withheld.includes(plural),
  );
  const rules = [
    { apiGroups: ['', 'azimuth.dev', 'secrets-store.csi.x-k8s.io', ...kinds], resources: ['*'], verbs: ['*'] },
    { apiGroups: ['aadpodidentity.k8s.io'], resources: identities.map(({ plural }) => plural), verbs: ['*'] },
  ];
  const apiVersion = 'rbac.authorization.k8s.io/v1';
  const roleRef = { apiGroup: rbac.group, kind: 'Role', name: 'tenant' };
  const subjects = [{ kind: 'ServiceAccount', ...metadata }];
  await makeAccount(admin, metadata);
  await admin.create({ ...rbac, plural: 'roles', kind: 'Role' }, {
    apiVersion,
    kind: 'Role',
    metadata,
    rules,
  } as KubeObject);
  const binding = { apiVersion, kind: 'RoleBinding', metadata, roleRef, subjects } as KubeObject;
  await admin.create({ ...rbac, plural: 'rolebindings', kind: 'RoleBinding' }, binding);
  return tokenOf(admin, metadata);
}

/** Gives a service account rights in the whole cluster, by a role and a binding of this name. */
export async function grantInCluster(
  admin: KubeClient,
  name: string,
  account: ObjectKey,
  rules: readonly object[],
): Promise<void> {
  const apiVersion = `${rbacGroup}/v1`;
  const roleRef = { apiGroup: rbacGroup, kind: 'ClusterRole', name };
  const subjects = [{ kind: 'ServiceAccount', ...account }];
  await admin.create(clusterRoles, { apiVersion, kind: 'ClusterRole', metadata: { name }, rules } as KubeObject);
  const binding = { apiVersion, kind: 'ClusterRoleBinding', metadata: { name }, roleRef, subjects };
  await admin.create(clusterRoleBindings, binding as KubeObject);
}

/** Makes a service account. */
export async function makeAccount(admin: KubeClient, metadata: ObjectKey): Promise<void> {
  await admin.create(serviceAccountsType, { apiVersion: 'v1', kind: 'ServiceAccount', metadata } as KubeObject);
}

/** A token of a service account for an hour. */
export async function tokenOf(admin: KubeClient, account: ObjectKey): Promise<string> {
  const asked = await admin.createSubresource<{ status: { token: string } }>(serviceAccountsType, account, 'token', {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec: { expirationSeconds: 3600 },
  });
  return asked.status.token;
}
