/** Objects and what the API server says of them. test/api holds validate() to it, test/cluster the API server itself. */
import type { KubeObject } from '../../runtime/kube/client/types.ts';
import { deploymentCases } from './deployments/deployment-cases.ts';
import { machineCases } from './machines/machine-cases.ts';
import { podIdentityCases } from './pod-identity/pod-identity-cases.ts';
import { type Body, objectsOf, type ValidationCase } from './validation-case.ts';

const account = objectsOf('storage.azure.com/v20250601', 'StorageAccount');
const container = objectsOf('storage.azure.com/v20250601', 'StorageAccountsBlobServicesContainer');
const vault = objectsOf('keyvault.azure.com/v1api20230701', 'Vault');
const credential = objectsOf('managedidentity.azure.com/v1api20230131', 'FederatedIdentityCredential');
const blobs = objectsOf('storage.azure.com/v20230101', 'StorageAccountsBlobService');
const userAssigned = objectsOf('managedidentity.azure.com/v1api20181130', 'UserAssignedIdentity');
const resourceGroup = objectsOf('resources.azure.com/v1api20200601', 'ResourceGroup');
const role = objectsOf('authorization.azure.com/v20220401', 'RoleAssignment');
const any = objectsOf('azimuth.dev/v1alpha1', 'ArmResource');

const owner = { name: 'rg' };
const sql = objectsOf('sql.azure.com/v20211101', 'Server');
const server = (more: Body) => sql({ location: 'westeurope', owner, ...more });
const generatedCredentials = { name: 'admin', labels: { a: 'b' } };
const storage = { owner, kind: 'StorageV2', location: 'westeurope', sku: { name: 'Standard_LRS' } };
const fic = { owner, audiences: ['api://AzureADTokenExchange'] };
const roleDefinitionReference = { wellKnownName: 'Contributor' };
const vaultObject = { group: 'keyvault.azure.com', kind: 'Vault', name: 'shop' };
const group = { group: 'resources.azure.com', kind: 'ResourceGroup', name: 'rg' };
const rg = '/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/rg';
const resource = { type: 'Microsoft.Web/staticSites@2023-12-01' };
const longName = 'a'.repeat(254);

const azure: ValidationCase[] = [
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

export const validationCases: readonly ValidationCase[] = [
  ...podIdentityCases,
  ...azure,
  ...machineCases,
  ...deploymentCases,
];

/** Updates: the rules about changes. Only API servers with CEL know them. */
export const changes: readonly (ValidationCase & { readonly old: KubeObject })[] = [
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
