/** Objects and what the API server says of them. test/api holds validate() to it, test/cluster the API server itself. */
import type { KubeObject } from '../../runtime/kube/client/types.ts';
import { machineVerdicts } from './machines/machine-verdicts.ts';

export interface Verdict {
  readonly name: string;
  readonly object: KubeObject;
  /** Path of the one problem; absent where the object is accepted. */
  readonly refusedAt?: string;
  /** What `refusedAt` is told, in part. */
  readonly because?: RegExp;
}

type Body = Record<string, unknown>;

const of =
  (apiVersion: string, kind: string) =>
  (spec: Body | undefined, more: Body = {}) =>
    ({
      apiVersion,
      kind,
      metadata: { name: 'sample', namespace: 'default' },
      ...(spec && { spec }),
      ...more,
    }) as KubeObject;

const identity = of('aadpodidentity.k8s.io/v1', 'AzureIdentity');
const binding = of('aadpodidentity.k8s.io/v1', 'AzureIdentityBinding');
const assigned = of('aadpodidentity.k8s.io/v1', 'AzureAssignedIdentity');
const exception = of('aadpodidentity.k8s.io/v1', 'AzurePodIdentityException');
const account = of('storage.azure.com/v20250601', 'StorageAccount');
const container = of('storage.azure.com/v20250601', 'StorageAccountsBlobServicesContainer');
const vault = of('keyvault.azure.com/v1api20230701', 'Vault');
const credential = of('managedidentity.azure.com/v1api20230131', 'FederatedIdentityCredential');
const blobs = of('storage.azure.com/v20230101', 'StorageAccountsBlobService');
const userAssigned = of('managedidentity.azure.com/v1api20181130', 'UserAssignedIdentity');
const resourceGroup = of('resources.azure.com/v1api20200601', 'ResourceGroup');
const role = of('authorization.azure.com/v20220401', 'RoleAssignment');
const any = of('azimuth.dev/v1alpha1', 'ArmResource');

const owner = { name: 'rg' };
const sql = of('sql.azure.com/v20211101', 'Server');
const server = (more: Body) => sql({ location: 'westeurope', owner, ...more });
const generatedCredentials = { name: 'admin', labels: { a: 'b' } };
const storage = { owner, kind: 'StorageV2', location: 'westeurope', sku: { name: 'Standard_LRS' } };
const fic = { owner, audiences: ['api://AzureADTokenExchange'] };
const roleDefinitionReference = { wellKnownName: 'Contributor' };
const vaultObject = { group: 'keyvault.azure.com', kind: 'Vault', name: 'shop' };
const group = { group: 'resources.azure.com', kind: 'ResourceGroup', name: 'rg' };
const rg = '/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/rg';
const resource = { type: 'Microsoft.Web/staticSites@2023-12-01' };
const window = { schedule: '0 8 * * 1-5', duration: '1h30m' };
const longName = 'a'.repeat(254);

/** What upstream's schema takes, however odd, must still be taken. */
const podIdentity: Verdict[] = [
  { name: 'an identity without a spec', object: identity(undefined) },
  { name: 'an identity with nothing in it', object: identity({}) },
  { name: 'type 0 without a resource id', object: identity({ type: 0, clientID: 'c' }) },
  { name: 'a type that nobody knows', object: identity({ type: 42 }) },
  { name: 'workload federation', object: identity({ type: 3, clientID: 'c', tenantID: 't' }) },
  { name: 'a malformed resource id', object: identity({ type: 0, resourceID: ' /not/an/id' }) },
  { name: 'null where upstream has pointers', object: identity({ replicas: null, auxiliaryTenantIDs: null }) },
  { name: 'old capitalised names, which are dropped', object: identity({ ClientID: 'c', ResourceID: 'r' }) },
  { name: 'the empty metadata of old tools', object: identity({ metadata: { creationTimestamp: null } }) },
  { name: 'a type given as text', object: identity({ type: '0' }), refusedAt: 'spec.type' },
  { name: 'a type with a fraction', object: identity({ type: 0.5 }), refusedAt: 'spec.type' },
  { name: 'a secret given as text', object: identity({ clientPassword: 'name' }), refusedAt: 'spec.clientPassword' },
  { name: 'a null that nothing allows, which is dropped', object: identity({ clientID: null }) },
  {
    name: 'a null in a list',
    object: identity({ auxiliaryTenantIDs: [null] }),
    refusedAt: 'spec.auxiliaryTenantIDs[0]',
  },
  { name: 'a binding without a selector', object: binding({ azureIdentity: 'a' }) },
  { name: 'a negative weight', object: binding({ azureIdentity: 'a', selector: 's', weight: -1 }) },
  {
    name: 'a binding with windows',
    object: binding({
      availability: { timeZone: 'Europe/Paris', notBefore: '2026-01-01T00:00:00Z', windows: [window] },
    }),
  },
  {
    name: 'a date without time',
    object: binding({ availability: { notBefore: '2026-01-01' } }),
    refusedAt: 'spec.availability.notBefore',
  },
  {
    name: 'a date that no calendar has',
    object: binding({ availability: { notBefore: '2026-02-30T00:00:00Z' } }),
    refusedAt: 'spec.availability.notBefore',
  },
  {
    name: 'a duration in words',
    object: binding({ availability: { windows: [{ ...window, duration: 'one hour' }] } }),
    refusedAt: 'spec.availability.windows[0].duration',
    because: /a match of/,
  },
  {
    name: 'a window without a schedule',
    object: binding({ availability: { windows: [window, { duration: '1h' }] } }),
    refusedAt: 'spec.availability.windows[1].schedule',
  },
  {
    name: 'no windows at all',
    object: binding({ availability: { windows: [] } }),
    refusedAt: 'spec.availability.windows',
  },
  {
    name: 'an assigned identity as MIC writes it',
    object: assigned(
      {
        azureIdentityRef: { ...identity({ type: 0 }), metadata: { name: 'i', resourceVersion: '12' } },
        azureBindingRef: { ...binding({ selector: 's' }), metadata: { name: 'b', resourceVersion: '13' } },
        pod: 'p',
        podNamespace: 'default',
        nodename: 'n',
        replicas: null,
      },
      { status: { status: 'Created', availableReplicas: 1 } },
    ),
  },
  {
    name: 'an embedded identity without a kind',
    object: assigned({ azureIdentityRef: { apiVersion: 'v1', metadata: { name: 'i' } } }),
    refusedAt: 'spec.azureIdentityRef.kind',
  },
  {
    name: 'an embedded binding whose metadata is no object',
    object: assigned({ azureBindingRef: { apiVersion: 'v1', kind: 'X', metadata: 5 } }),
    refusedAt: 'spec.azureBindingRef.metadata',
  },
  { name: 'an exception', object: exception({ podLabels: { app: 'mic' } }) },
  {
    name: 'a label that is a number',
    object: exception({ podLabels: { app: 1 } }),
    refusedAt: 'spec.podLabels[app]',
  },
];

const azure: Verdict[] = [
  { name: 'a storage account', object: account(storage) },
  { name: 'a spec-less storage account', object: account(undefined), refusedAt: 'spec' },
  {
    name: 'a field that only older versions have',
    object: {
      ...account({ ...storage, sku: { name: 'Standard_LRS', tier: 'Standard' } }),
      apiVersion: 'storage.azure.com/v1api20210401',
    },
  },
  {
    name: 'a name that Azure takes in no version, in the oldest one',
    object: {
      ...account({ ...storage, azureName: 'Mixed-Case' }),
      apiVersion: 'storage.azure.com/v1api20210401',
    },
    refusedAt: 'spec.azureName',
  },
  {
    name: 'a value only an older version has',
    object: account({
      ...storage,
      azureFilesIdentityBasedAuthentication: {
        directoryServiceOptions: 'None',
        defaultSharePermission: 'StorageFileDataSmbShareOwner',
      },
    }),
  },
  {
    name: 'a SKU that does not exist',
    object: account({ ...storage, sku: { name: 'X' } }),
    refusedAt: 'spec.sku.name',
  },
  {
    name: 'a member missing below an optional one',
    object: account({ ...storage, keyPolicy: {} }),
    refusedAt: 'spec.keyPolicy.keyExpirationPeriodInDays',
  },
  {
    name: 'a number out of range',
    object: account({
      ...storage,
      immutableStorageWithVersioning: { immutabilityPolicy: { immutabilityPeriodSinceCreationInDays: 0 } },
    }),
    refusedAt: 'spec.immutableStorageWithVersioning.immutabilityPolicy.immutabilityPeriodSinceCreationInDays',
  },
  { name: 'null tags, which are dropped', object: account({ ...storage, tags: null }) },
  { name: 'null where a value must be', object: account({ ...storage, location: null }), refusedAt: 'spec.location' },
  { name: 'an unknown field, which is dropped', object: account({ ...storage, nonsense: { a: 1 } }) },
  { name: 'a container', object: container({ owner: { name: 'service' } }) },
  { name: 'a name in Azure too short', object: container({ owner, azureName: 'ab' }), refusedAt: 'spec.azureName' },
  {
    name: 'exported values',
    object: account({
      ...storage,
      operatorSpec: {
        secrets: { key1: { name: 's', key: 'k', labels: { a: 'b' } } },
        secretExpressions: [{ name: 's', value: 'secret.key1' }],
      },
    }),
  },
  {
    name: 'an export without a key',
    object: account({ ...storage, operatorSpec: { secrets: { key1: { name: 's' } } } }),
    refusedAt: 'spec.operatorSpec.secrets.key1.key',
  },
  { name: 'a server whose administrator is made up', object: server({ operatorSpec: { generatedCredentials } }) },
  { name: 'a server whose password is given', object: server({ administratorLoginPassword: { name: 's', key: 'k' } }) },
  {
    name: 'a password that is given and made up',
    object: server({
      administratorLoginPassword: { name: 's', key: 'k' },
      operatorSpec: { generatedCredentials },
    }),
    refusedAt: 'spec',
  },
  {
    name: 'made-up credentials without a place for them',
    object: server({ operatorSpec: { generatedCredentials: {} } }),
    refusedAt: 'spec.operatorSpec.generatedCredentials.name',
  },
  {
    name: 'values for a vault by its object',
    object: account({
      ...storage,
      operatorSpec: { keyVault: { vaultReference: vaultObject, expires: '720h', keys: ['key0'] } },
    }),
  },
  {
    name: 'values for a vault by its URL',
    object: account({
      ...storage,
      operatorSpec: { keyVault: { vault: 'https://shop.vault.azure.net', flatten: true } },
    }),
  },
  {
    name: 'a vault twice',
    object: account({ ...storage, operatorSpec: { keyVault: { vault: 'shop', vaultReference: vaultObject } } }),
    refusedAt: 'spec.operatorSpec.keyVault',
    because: /at most one of vault and vaultReference/,
  },
  {
    name: 'a vault with a name that cannot be',
    object: account({ ...storage, operatorSpec: { keyVault: { vault: 'a_b' } } }),
    refusedAt: 'spec.operatorSpec.keyVault.vault',
  },
  {
    name: 'a reference to what is no vault',
    object: account({ ...storage, operatorSpec: { keyVault: { vaultReference: { ...vaultObject, kind: 'Server' } } } }),
    refusedAt: 'spec.operatorSpec.keyVault.vaultReference.kind',
  },
  {
    name: 'an expiry that could not be renewed in time',
    object: account({ ...storage, operatorSpec: { keyVault: { vault: 'shop', expires: '10m' } } }),
    refusedAt: 'spec.operatorSpec.keyVault.expires',
  },
  {
    name: 'a key that the kind does not have',
    object: account({ ...storage, operatorSpec: { keyVault: { vault: 'shop', keys: ['key9'] } } }),
    refusedAt: 'spec.operatorSpec.keyVault.keys[0]',
  },
  { name: 'an owner by ARM id, case ignored', object: credential({ ...fic, owner: { armId: rg.toUpperCase() } }) },
  {
    name: 'an owner that is no ARM id',
    object: credential({ ...fic, owner: { armId: 'rg' } }),
    refusedAt: 'spec.owner.armId',
  },
  { name: 'an owner twice', object: credential({ ...fic, owner: { name: 'a', armId: rg } }), refusedAt: 'spec.owner' },
  { name: 'an owner with nothing', object: credential({ ...fic, owner: {} }), refusedAt: 'spec.owner' },
  {
    name: 'an owner too long',
    object: credential({ ...fic, owner: { name: longName } }),
    refusedAt: 'spec.owner.name',
  },
  { name: 'no owner', object: credential({ audiences: ['a'] }), refusedAt: 'spec.owner' },
  { name: 'a value from a ConfigMap', object: credential({ ...fic, issuerFromConfig: { name: 'c', key: 'k' } }) },
  {
    name: 'a value and its ConfigMap',
    object: credential({ ...fic, issuer: 'https://i', issuerFromConfig: { name: 'c', key: 'k' } }),
    refusedAt: 'spec',
    because: /at most one of issuer and issuerFromConfig/,
  },
  { name: 'an issuer that is no URL', object: credential({ ...fic, issuer: 'nothing' }), refusedAt: 'spec.issuer' },
  { name: 'a role by its name', object: role({ owner: group, roleDefinitionReference }) },
  { name: 'an extension of nothing named', object: role({ owner, roleDefinitionReference }), refusedAt: 'spec.owner' },
  {
    name: 'a role by name and id',
    object: role({ owner: group, roleDefinitionReference: { ...roleDefinitionReference, armId: rg } }),
    refusedAt: 'spec.roleDefinitionReference',
    because: /set either armId, or wellKnownName, or all of group, kind and name/,
  },
  {
    name: 'a vault that takes its values from ConfigMaps',
    object: vault({
      owner,
      location: 'westeurope',
      properties: {
        createMode: 'createOrRecover',
        tenantIdFromConfig: { name: 'identity-settings', key: 'tenantId' },
        sku: { family: 'A', name: 'standard' },
        accessPolicies: [
          { objectIdFromConfig: { name: 'c', key: 'k' }, permissions: { keys: ['get'], secrets: ['get', 'list'] } },
        ],
      },
    }),
  },
  { name: 'a blob service', object: blobs({ owner, cors: { corsRules: [] } }) },
  {
    name: 'an identity in Azure that exports what it is',
    object: userAssigned({
      owner,
      location: 'westeurope',
      operatorSpec: {
        configMaps: { clientId: { name: 'c', key: 'clientId' } },
        secretExpressions: [{ name: 's', key: 'AZURE_TENANT_ID', value: 'self.status.tenantId' }],
      },
    }),
  },
  { name: 'a resource group', object: resourceGroup({ location: 'westeurope', tags: { team: 'a' } }) },
  {
    name: 'an access policy that names its object twice',
    object: vault({
      owner,
      location: 'westeurope',
      properties: {
        sku: { family: 'A', name: 'standard' },
        accessPolicies: [{ permissions: {}, objectId: 'a', objectIdFromConfig: { name: 'c', key: 'k' } }],
      },
    }),
    refusedAt: 'spec.properties.accessPolicies[0]',
  },
  {
    name: 'the status as Azure described it',
    object: account(storage, {
      status: {
        id: rg,
        anything: { at: ['all'] },
        conditions: [
          { type: 'Ready', status: 'True', reason: 'Succeeded', lastTransitionTime: '2026-01-01T00:00:00Z' },
        ],
      },
    }),
  },
  { name: 'any resource', object: any({ ...resource, body: { properties: { deep: [{ a: null }] } }, scope: rg }) },
  { name: 'any resource, without body or owner', object: any(resource) },
  { name: 'a type without a version', object: any({ type: 'Microsoft.Web/staticSites' }), refusedAt: 'spec.type' },
  { name: 'owner and scope', object: any({ ...resource, owner, scope: rg }), refusedAt: 'spec' },
  { name: 'a body that is a list', object: any({ ...resource, body: [] }), refusedAt: 'spec.body' },
  {
    name: 'a secret by action',
    object: any({
      ...resource,
      operatorSpec: { secrets: [{ name: 's', key: 'k', action: 'listKeys', path: 'a[0].b' }] },
    }),
  },
];

export const verdicts: readonly Verdict[] = [...podIdentity, ...azure, ...machineVerdicts];

/** Updates: the rules about changes. Only API servers with CEL know them. */
export const changes: readonly (Verdict & { readonly old: KubeObject })[] = [
  {
    name: 'another owner while Azure has nothing yet',
    old: credential(fic),
    object: credential({ ...fic, owner: { name: 'other' } }),
  },
  {
    name: 'another owner once Azure has the resource',
    old: credential(fic, { status: { id: rg } }),
    object: credential({ ...fic, owner: { name: 'other' } }, { status: { id: rg } }),
    refusedAt: '',
    because: /spec.owner cannot change/,
  },
  {
    name: 'another name once Azure has the resource',
    old: credential(fic, { status: { id: rg } }),
    object: credential({ ...fic, azureName: 'other' }, { status: { id: rg } }),
    refusedAt: '',
    because: /spec.azureName cannot change/,
  },
  {
    name: 'the name it has, spelled out',
    old: credential(fic, { status: { id: rg } }),
    object: credential({ ...fic, azureName: 'sample' }, { status: { id: rg } }),
  },
  {
    name: 'another name dropped',
    old: credential({ ...fic, azureName: 'other' }, { status: { id: rg } }),
    object: credential(fic, { status: { id: rg } }),
    refusedAt: '',
    because: /spec.azureName cannot change/,
  },
  {
    name: 'a scope dropped once Azure has the resource',
    old: any({ ...resource, scope: rg }, { status: { id: rg } }),
    object: any(resource, { status: { id: rg } }),
    refusedAt: '',
    because: /spec.scope cannot change/,
  },
  {
    name: 'another api-version of the same type',
    old: any(resource, { status: { id: rg } }),
    object: any({ type: 'Microsoft.Web/staticSites@2024-04-01' }, { status: { id: rg } }),
  },
];
