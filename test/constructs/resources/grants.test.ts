import { expect, test } from '@jest/globals';
import { Testing } from 'cdk8s';
import { Deployment } from 'cdk8s-plus-27';
import {
  AzureIdentity,
  AzureWorkload,
  type CsiMountOptions,
  containerregistry,
  eventhub,
  StorageAccount,
  UserAssignedIdentity,
  Vault,
  VirtualNetwork,
} from '../../../constructs/index.ts';
import { type GrantedRole, grants } from '../../../constructs/resources/built-in-roles.ts';
import { kindOf } from '../../../runtime/api/kinds.ts';
import { builtInRoles } from '../../../sandbox/azure/arm/roles/role-definitions.ts';

const location = 'westeurope';
const owner = { armId: '/subscriptions/s/resourceGroups/g' };
const tenantId = '11111111-1111-1111-1111-111111111111';

function shop(properties: object = { enableRbacAuthorization: true, tenantId }) {
  const chart = Testing.chart();
  const identity = new UserAssignedIdentity(chart, 'web', {
    metadata: { namespace: 'shop' },
    spec: { location, owner },
  });
  const vault = new Vault(chart, 'vault', {
    metadata: { namespace: 'shop' },
    spec: {
      location,
      owner,
      azureName: 'shop-vault',
      properties: { sku: { family: 'A', name: 'standard' }, ...properties },
    },
  });
  return { chart, identity, vault };
}
const only = (chart: ReturnType<typeof Testing.chart>, kind: string) =>
  Testing.synth(chart).filter((each) => each.kind === kind);

test('a grant is a role assignment on the resource, for the principal id that Azure gives to the identity', () => {
  const { chart, identity, vault } = shop();
  expect(vault.grantRead(identity)).toBe(vault.grantRead(identity));
  expect(only(chart, 'RoleAssignment')).toEqual([
    {
      apiVersion: 'authorization.azure.com/v20220401',
      kind: 'RoleAssignment',
      metadata: { name: 'vault-web-key-vault-secrets-user', namespace: 'shop' },
      spec: {
        owner: { group: 'keyvault.azure.com', kind: 'Vault', name: 'vault' },
        description: 'Key Vault Secrets User: read the values of secrets, those behind certificates included',
        roleDefinitionReference: { wellKnownName: '4633458b-17de-408a-b874-0445c86b69e6' },
        principalIdFromConfig: { name: 'web-userassignedidentity', key: 'principalId' },
        principalType: 'ServicePrincipal',
      },
    },
  ]);
});

test('principals outside of the cluster get roles by their id', () => {
  const { chart, vault } = shop();
  vault.grantWrite({ principalId: tenantId, principalType: 'Group' });
  expect(only(chart, 'RoleAssignment')[0].spec).toMatchObject({ principalId: tenantId, principalType: 'Group' });
});

test('grants on a vault with access policies are refused once, with the fix', () => {
  const { chart, identity, vault } = shop({ accessPolicies: [] });
  vault.grantRead(identity);
  vault.grantWrite(identity);
  const message = (() => {
    try {
      return String(Testing.synth(chart));
    } catch (error) {
      return (error as Error).message;
    }
  })();
  expect(message.match(/\[test\/vault\] spec\.properties\.enableRbacAuthorization: set it to true/g)).toHaveLength(1);
});

test('an identity of another namespace cannot be granted a role by its object', () => {
  const { chart, vault } = shop();
  const other = new UserAssignedIdentity(chart, 'other', { metadata: { namespace: 'b' }, spec: { location, owner } });
  vault.grantRead(other);
  expect(() => Testing.synth(chart)).toThrow(
    'spec.principalIdFromConfig refers to other-userassignedidentity in the namespace `b`',
  );
});

test('each grant names a role of Azure under its own GUID, on a kind that is served', () => {
  const ids = Object.entries(grants).flatMap(([type, methods]) => {
    const [group = '', kind = ''] = type.split('/');
    expect(kindOf(group, kind).arm).toBeDefined();
    return Object.values(methods as Record<string, GrantedRole>);
  });
  expect(new Set(ids.map(({ id }) => id)).size).toBe(ids.length);
  const known = new Map(builtInRoles.map(({ roleName, id }) => [roleName, id]));
  for (const { role, id } of ids) {
    expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    if (known.has(role)) expect({ role, id }).toEqual({ role, id: known.get(role) });
  }
});

test('a workload uses an identity, reads a vault, and has secrets as files', () => {
  const { chart, identity, vault } = shop();
  const web = new Deployment(chart, 'Web', { metadata: { namespace: 'shop' }, containers: [{ image: 'web' }] });
  AzureWorkload.of(web)
    .use(identity)
    .canRead(vault)
    .mount(vault, [{ type: 'secret', name: 'db' }]);
  const [made] = only(chart, 'Deployment');
  expect(made.spec.template.metadata.labels.aadpodidbinding).toBeDefined();
  expect(made.spec.template.spec.containers[0].volumeMounts).toEqual([
    { mountPath: '/vault', name: 'vault-vault', readOnly: true },
  ]);
  expect(made.spec.template.spec.volumes[0].flexVolume.options).toMatchObject({
    keyvaultname: 'shop-vault',
    keyvaultobjectnames: 'db',
    tenantid: tenantId,
    usepodidentity: 'true',
  });
  expect(only(chart, 'AzureIdentity').map(({ metadata, spec }) => [metadata.name, spec])).toEqual([
    ['web', { type: 0, identityRef: { name: 'web' } }],
  ]);
  expect(only(chart, 'AzureIdentityBinding')).toHaveLength(1);
  expect(only(chart, 'RoleAssignment')).toHaveLength(1);
});

test('a vault is mounted by the CSI driver with a class in the namespace of the pods, which a pod identity reads', () => {
  const { chart, identity, vault } = shop();
  const web = new Deployment(chart, 'Web', { metadata: { namespace: 'shop' }, containers: [{ image: 'web' }] });
  const objects = [{ type: 'cert', name: 'tls', file: 'certs/tls.pem', filePermission: '0440' }] as const;
  AzureWorkload.of(web).use(identity).mount(vault, objects, { driver: 'csi', path: '/tls', provider: 'azimuth' });
  const [made] = only(chart, 'SecretProviderClass');
  expect(made).toMatchObject({
    metadata: { namespace: 'shop' },
    spec: { provider: 'azimuth', parameters: { keyvaultName: 'shop-vault', tenantId, usePodIdentity: 'true' } },
  });
  expect(made.spec.parameters.objects).toContain('objectAlias: "certs/tls.pem"');
  const { spec } = only(chart, 'Deployment')[0].spec.template;
  expect(spec.volumes[0].csi.volumeAttributes).toEqual({ secretProviderClass: made.metadata.name });
  expect(spec.containers[0].volumeMounts).toEqual([{ mountPath: '/tls', name: 'vault-vault', readOnly: true }]);
  expect(only(chart, 'RoleAssignment')).toHaveLength(1);
  // @ts-expect-error: the CSI driver rotates by a setting of its own
  const options: CsiMountOptions = { driver: 'csi', refresh: true };
  expect(options.driver).toBe('csi');
});

test('each kind gets the least role for reading and for writing', () => {
  const { chart, identity } = shop();
  const web = new Deployment(chart, 'Web', { metadata: { namespace: 'shop' }, containers: [{ image: 'web' }] });
  const metadata = { namespace: 'shop' };
  const sku = { name: 'Standard_LRS' } as const;
  const logs = new StorageAccount(chart, 'logs', { metadata, spec: { location, owner, kind: 'StorageV2', sku } });
  const images = new containerregistry.Registry(chart, 'images', {
    metadata,
    spec: { location, owner, sku: { name: 'Basic' } },
  });
  const hub = new eventhub.Namespace(chart, 'shop-hub', { metadata, spec: { location, owner } });
  AzureWorkload.of(web).use(identity).canRead(logs).canWrite(logs).canRead(images).canWrite(hub);
  expect(only(chart, 'RoleAssignment').map(({ spec }) => spec.description.split(':')[0])).toEqual([
    'Storage Blob Data Reader',
    'Storage Blob Data Contributor',
    'AcrPull',
    'Azure Event Hubs Data Sender',
  ]);
  const network = new VirtualNetwork(chart, 'net', {
    metadata,
    spec: { location, owner, addressSpace: { addressPrefixes: ['10.0.0.0/16'] } },
  });
  // @ts-expect-error: nothing of a network is read with a data role
  expect(() => AzureWorkload.of(web).canRead(network)).toThrow();
});

test('what is missing for a workload is named with the call', () => {
  const { chart, vault } = shop({ enableRbacAuthorization: true });
  const web = new Deployment(chart, 'Web', { metadata: { namespace: 'shop' } });
  AzureWorkload.of(web).mount(vault, [{ type: 'secret', name: 'db' }]);
  const byIds = new AzureIdentity(chart, 'ids', {
    namespace: 'shop',
    clientId: 'c',
    credential: { kind: 'workloadFederation', tenantId },
  });
  AzureWorkload.of(web).use(byIds).canRead(vault);
  web.addContainer({ image: 'web' });
  const problems = web.node.validate().join('\n');
  expect(problems).toContain('canRead(vault): call `use(identity)` before it');
  expect(problems).toContain('mount(vault): give `tenantId`');
  expect(problems).toContain('mount(vault): the workload has no container yet; call it after `addContainer`');
  expect(problems).toContain('canRead(vault): the identity of `use()` names ids and no UserAssignedIdentity object');
});
