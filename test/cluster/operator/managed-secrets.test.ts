/** ManagedSecrets and a machine on a real API server, with the permissions that the manifests grant. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { KubeObject } from '../../../runtime/kube/client/types.ts';
import { issueCertificate } from '../../fakes/certificates.ts';
import { eventually } from '../../fakes/eventually.ts';
import { kubectl, tryKubectl } from '../kubectl.ts';
import { type InstalledOperator, installOperator } from './installed-operator.ts';

const namespace = 'azimuth-machines-test';
const kinds = [
  'resources.azure.com/ResourceGroup',
  'keyvault.azure.com/Vault',
  'managedidentity.azure.com/UserAssignedIdentity',
  'compute.azure.com/VirtualMachine',
  'compute.azure.com/VirtualMachineScaleSet',
].join(';');
const versions: Readonly<Record<string, string>> = {};

let installed: InstalledOperator;

beforeAll(async () => {
  installed = await installOperator(kinds, { machineSecrets: true });
  for (const [plural, group] of [
    ['resourcegroups', 'resources.azure.com'],
    ['vaults', 'keyvault.azure.com'],
    ['virtualmachines', 'compute.azure.com'],
  ] as const) {
    const definition = JSON.parse(await kubectl(['get', 'crd', `${plural}.${group}`, '-o', 'json']));
    const [{ name }] = definition.spec.versions.filter(({ storage }: { storage: boolean }) => storage);
    Object.assign(versions, { [plural]: `${group}/${name}` });
  }
  await tryKubectl(['create', 'namespace', namespace]);
  const ca = issueCertificate({ commonName: 'team ca', ca: true, curve: 'secp384r1' });
  const stringData = { 'tls.crt': ca.cert, 'tls.key': ca.key };
  await apply({ apiVersion: 'v1', kind: 'Secret', name: 'ca', type: 'kubernetes.io/tls', stringData });
});

afterAll(() => installed?.remove());

interface Manifest {
  readonly apiVersion?: string | undefined;
  readonly kind: string;
  readonly name: string;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly clusterScoped?: boolean;
  readonly [member: string]: unknown;
}

async function apply({
  apiVersion = 'azimuth.dev/v1alpha1',
  kind,
  name,
  annotations,
  clusterScoped,
  ...rest
}: Manifest) {
  const metadata = { name, ...(!clusterScoped && { namespace }), ...(annotations && { annotations }) };
  await kubectl(['apply', '-f', '-'], JSON.stringify({ apiVersion, kind, metadata, ...rest }));
}

/** Waits for an object of the API server. */
async function until(
  what: string,
  type: string,
  name: string,
  check: (object: KubeObject) => boolean,
): Promise<KubeObject> {
  let found: KubeObject | undefined;
  await eventually(
    what,
    async () => {
      const { status, stdout } = await tryKubectl(['get', type, name, '-n', namespace, '-o', 'json']);
      found = status === 0 ? (JSON.parse(stdout) as KubeObject) : undefined;
      return found !== undefined && check(found);
    },
    120_000,
  ).catch((error: Error) => {
    throw new Error(`${error.message}; last ${JSON.stringify(found?.['status'])}`);
  });
  return found as KubeObject;
}

const reasonOf = (found: KubeObject, type = 'Ready'): string | undefined =>
  found['status']?.conditions?.find((each: { type: string }) => each.type === type)?.reason;

const secret = (annotations?: Record<string, string>) => ({
  kind: 'ManagedSecret',
  name: 'web',
  spec: {
    kind: 'Certificate',
    home: { vault: { group: 'keyvault.azure.com', kind: 'Vault', name: 'azmcluster' } },
    rotation: { overlap: '0s' },
    vaultSecretName: 'web',
    certificate: { subject: 'CN=web', keyType: 'EC', keySize: 384, issuer: { caSecret: { name: 'ca' } } },
  },
  ...(annotations && { annotations }),
});

test('without the approval of a subscription a ManagedSecret waits, and an approval makes it', async () => {
  const { azure } = installed;
  await apply({
    apiVersion: versions['resourcegroups'],
    kind: 'ResourceGroup',
    name: 'rg',
    spec: { location: 'westeurope' },
  });
  const properties = {
    tenantId: azure.tenantId,
    sku: { family: 'A', name: 'standard' },
    enableRbacAuthorization: true,
    enabledForDeployment: true,
  };
  const spec = { location: 'westeurope', owner: { name: 'rg' }, properties };
  await apply({ apiVersion: versions['vaults'], kind: 'Vault', name: 'azmcluster', spec });
  const vault = await until(
    'the vault is there',
    'vaults.keyvault.azure.com',
    'azmcluster',
    (found) => reasonOf(found) === 'Succeeded',
  );
  azure.assignRole(azure.defaultApp.objectId, 'Key Vault Administrator', vault['status']?.id);
  await apply(secret());
  await until('it waits', 'managedsecrets.azimuth.dev', 'web', (found) => reasonOf(found) === 'WaitingForFeature');
  const feature = { subscription: azure.subscriptionId, feature: 'azimuth.dev/ManagedSecrets' };
  await apply({ kind: 'FeatureRegistration', name: 'machines-test', clusterScoped: true, spec: feature });
  await apply({
    kind: 'FeatureApproval',
    name: 'machines-test',
    clusterScoped: true,
    spec: { for: { name: 'machines-test' } },
  });
  await until(
    'it has a version',
    'managedsecrets.azimuth.dev',
    'web',
    (found) => found['status']?.version === 1 && reasonOf(found) === 'Succeeded',
  );
});

test('a machine gets certificate and identity, and a renewal reaches it although the operator is killed meanwhile', async () => {
  const identity = {
    kind: 'Identity',
    identity: { location: 'westeurope', owner: { name: 'rg', group: 'resources.azure.com', kind: 'ResourceGroup' } },
  };
  await apply({ kind: 'ManagedSecret', name: 'app', spec: identity });
  const managedSecrets = [
    { managedSecret: 'web', delivery: 'OsProfile' },
    { managedSecret: 'app', delivery: 'Identity' },
  ];
  await apply({
    apiVersion: versions['virtualmachines'],
    kind: 'VirtualMachine',
    name: 'vm',
    spec: {
      location: 'westeurope',
      owner: { name: 'rg' },
      hardwareProfile: { vmSize: 'Standard_D2s_v3' },
      osProfile: { computerName: 'vm', adminUsername: 'ops' },
      operatorSpec: { managedSecrets },
    },
  });
  const has = (version: number) => (found: KubeObject) =>
    reasonOf(found, 'SecretsDelivered') === 'Delivered' &&
    found['status']?.managedSecrets?.wanted?.[0]?.version === version;
  await until('the machine has both', 'virtualmachines.compute.azure.com', 'vm', has(1));
  await apply(secret({ 'azimuth.dev/renew': 'now' }));
  await installed.replace('over');
  await until('the machine has the renewal', 'virtualmachines.compute.azure.com', 'vm', has(2));
  const renewed = await until(
    'the old version is disabled',
    'managedsecrets.azimuth.dev',
    'web',
    (found) => found['status']?.versions?.[1]?.state === 'Disabled',
  );
  expect(renewed['status']?.versions).toMatchObject([{ number: 2, state: 'Current' }, { number: 1 }]);
});

test('the identity of a ManagedSecret is an object of its namespace, owned by it', async () => {
  const list = JSON.parse(
    await kubectl(['get', 'userassignedidentities.managedidentity.azure.com', '-n', namespace, '-o', 'json']),
  );
  expect(list.items.map(({ metadata }: KubeObject) => metadata.ownerReferences?.[0])).toMatchObject([
    { kind: 'ManagedSecret', name: 'app' },
  ]);
});

test('a withdrawn approval is reported by the ManagedSecret', async () => {
  await kubectl(['delete', 'featureapprovals.azimuth.dev', 'machines-test']);
  await until(
    'it waits again',
    'managedsecrets.azimuth.dev',
    'web',
    (found) => reasonOf(found) === 'WaitingForFeature',
  );
});

test.each([
  ['a member of another kind', { ...secret().spec, password: {} }, 'certificate'],
  ['no home vault', { kind: 'Password' }, 'home'],
])('the API server refuses a ManagedSecret with %s', async (_title, spec, field) => {
  const { status, stderr } = await tryKubectl(
    ['create', '-f', '-'],
    JSON.stringify({
      apiVersion: 'azimuth.dev/v1alpha1',
      kind: 'ManagedSecret',
      metadata: { name: 'wrong', namespace },
      spec,
    }),
  );
  expect(status).not.toBe(0);
  // A server without CEL names no field.
  expect(stderr).toMatch(new RegExp(`${field}|password|one and only one schema`));
});

test('the operator may write no spec of these kinds, and approve nothing', async () => {
  const as = '--as=system:serviceaccount:azimuth-system:azimuth-operator';
  const may = async (verb: string, resource: string, ...more: string[]) =>
    (await tryKubectl(['auth', 'can-i', verb, resource, '-n', namespace, as, ...more])).stdout.trim();
  expect(await may('patch', 'managedsecrets.azimuth.dev', '--subresource=status')).toBe('yes');
  for (const verb of ['create', 'patch', 'update', 'delete']) {
    for (const resource of ['managedsecrets', 'featureapprovals', 'featureregistrations']) {
      expect([verb, resource, await may(verb, `${resource}.azimuth.dev`)]).toEqual([verb, resource, 'no']);
    }
  }
});

test('deleting the objects deletes machine and identity in Azure', async () => {
  const all = [
    'virtualmachines.compute.azure.com',
    'managedsecrets.azimuth.dev',
    'userassignedidentities.managedidentity.azure.com',
    'vaults.keyvault.azure.com',
    'resourcegroups.resources.azure.com',
  ];
  for (const type of all) await kubectl(['delete', type, '--all', '-n', namespace, '--timeout=300s']);
  await kubectl(['delete', 'featureregistrations.azimuth.dev', 'machines-test']);
  const left = installed.azure.journal.entries({ service: 'arm', method: 'DELETE', effective: true });
  const paths = left.map(({ path }) => path.toLowerCase());
  expect(paths).toContainEqual(expect.stringMatching(/\/virtualmachines\/vm$/));
  expect(paths).toContainEqual(expect.stringMatching(/\/userassignedidentities\//));
});

test('the permissions that the manifests grant are enough', () => {
  expect(readFileSync(installed.logFile, 'utf8')).not.toMatch(/forbidden/i);
});
