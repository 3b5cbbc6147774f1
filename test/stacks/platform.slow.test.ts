import { beforeAll, expect, test } from '@jest/globals';
import * as pulumi from '@pulumi/pulumi';

interface Registered {
  readonly type: string;
  readonly name: string;
  // biome-ignore lint/suspicious/noExplicitAny: inputs of any resource
  readonly inputs: any;
}

const registered: Registered[] = [];
const only = (type: string) =>
  registered.filter((resource) => resource.type.toLowerCase().includes(type.toLowerCase()));
const ROLE = '4633458b-17de-408a-b874-0445c86b69e6';
const VAULT = '/subscriptions/sub/resourceGroups/rg/providers/Microsoft.KeyVault/vaults/shopvault';
let clientId: unknown;

beforeAll(async () => {
  pulumi.runtime.setMocks({
    newResource: ({ type, name, inputs, id }) => {
      registered.push({ type, name, inputs });
      return { id: id ?? `${name}-id`, state: { ...inputs, clientId: 'client', principalId: 'principal' } };
    },
    call: ({ inputs }) => inputs,
  });
  pulumi.runtime.setAllConfig({
    'azimuth:subscriptionId': 'sub',
    'azimuth:tenantId': 'tenant',
    'azimuth:resourceGroupName': 'rg',
    'azimuth:oidcIssuerUrl': 'https://issuer.example/',
    'azimuth:image': 'registry.example/azimuth:1',
    'azimuth:assignableRoles': JSON.stringify([ROLE]),
    'azimuth:keyVaultIds': JSON.stringify([VAULT]),
    'azimuth:operatorKeyVault': 'shopvault',
  });
  const stack = await import('../../stacks/platform/index.ts');
  clientId = await new Promise((resolve) => stack.clientId.apply(resolve));
  await pulumi.runtime.disconnect();
});

test('the stack exports the client id of the identity it made', () => {
  expect(clientId).toBe('client');
});

test('the identity trusts the service account that the manifests name', () => {
  const [credential] = only('FederatedIdentityCredential');
  expect(credential?.inputs).toMatchObject({
    issuer: 'https://issuer.example/',
    subject: 'system:serviceaccount:azimuth-system:azimuth-operator',
    audiences: ['api://AzureADTokenExchange'],
  });
});

test('the custom role has the actions of the kinds served, no wildcard and no power to assign roles', () => {
  const [role] = only('RoleDefinition');
  const actions: string[] = role?.inputs.permissions[0].actions;
  expect(actions).toContain('Microsoft.Storage/storageAccounts/write');
  expect(actions).toContain('Microsoft.Storage/storageAccounts/listKeys/action');
  expect(actions).toContain('Microsoft.DocumentDB/databaseAccounts/listConnectionStrings/action');
  expect(actions).toContain('Microsoft.EventHub/namespaces/authorizationRules/listKeys/action');
  expect(actions).toContain('Microsoft.ContainerService/managedClusters/listClusterAdminCredential/action');
  expect(actions).toContain('Microsoft.Resources/subscriptions/resourceGroups/delete');
  expect(actions.filter((action) => action.includes('*') || /^Microsoft\.Authorization/i.test(action))).toEqual([]);
});

test('assigning roles is granted apart and only for the roles listed', () => {
  const assignments = only('RoleAssignment');
  expect(assignments).toHaveLength(3);
  const conditional = assignments.find(({ inputs }) => inputs.condition !== undefined);
  expect(conditional?.inputs.condition).toContain(`GuidEquals {${ROLE}}`);
});

test('the secrets of the vaults listed may be written, and of no other', () => {
  const officer = 'b86a8fe4-44ce-4948-aee5-eccb2c155cd7';
  const found = only('RoleAssignment').filter(({ inputs }) => String(inputs.roleDefinitionId).endsWith(officer));
  expect(found.map(({ inputs }) => inputs.scope)).toEqual([VAULT]);
});

test('the definitions and the programs go to the cluster as the charts have them', () => {
  const groups = only('yaml/v2:ConfigGroup').map(({ inputs }) =>
    inputs.objs.map((object: { kind: string }) => object.kind),
  );
  expect(groups).toHaveLength(2);
  expect(new Set(groups[0])).toEqual(new Set(['CustomResourceDefinition']));
  expect(groups[1]).toContain('Deployment');
});

test('the settings Secret has ids and nothing that could sign in', () => {
  const [secret] = only('core/v1:Secret');
  expect(Object.keys(secret?.inputs.stringData.value ?? secret?.inputs.stringData).sort()).toEqual([
    'AZURE_CLIENT_ID',
    'AZURE_OPERATOR_KEYVAULT',
    'AZURE_SUBSCRIPTION_ID',
    'AZURE_TENANT_ID',
  ]);
});
