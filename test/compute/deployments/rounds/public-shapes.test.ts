/** Shapes of azd templates and of Azure Verified Modules in which an answer decides the name of a role assignment. */
import { expect, test } from '@jest/globals';
import type { Answers } from '../../../../runtime/compute/deployments/open-values.ts';
import { expandRound } from '../../../../runtime/compute/deployments/rounds/expand-round.ts';
import { place, target } from '../arm-templates.ts';
import { identityModule, moduleOf, roleModule } from './azd-template.ts';

const groupSchema = 'https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#';
const subscriptionSchema =
  'https://schema.management.azure.com/schemas/2018-05-01/subscriptionDeploymentTemplate.json#';
const location = '[resourceGroup().location]';

const round = (template: object, decided?: Answers) =>
  expandRound(
    {
      template: {
        arm: {
          json: JSON.stringify({ $schema: groupSchema, contentVersion: '1.0.0.0', ...template }),
          owner: { name: 'shop-${location}' },
        },
      },
      parameters: {},
      locations: [{ name: 'westeurope', parameters: {} }],
      at: '2026-01-01T00:00:00.000Z',
    },
    place,
    target,
    { decided },
  );
const shown = ({ nodes }: ReturnType<typeof round>) => nodes.map(({ armId = '' }) => armId.split('/').slice(-2)[0]);

/** Both rounds, with this answer for each resource that the first one asks about. */
function bothRounds(template: object, resource: object) {
  const first = round(template);
  expect(first.problems).toEqual([]);
  const needed = first.decision?.needed ?? [];
  const second = round(template, Object.fromEntries(needed.map(({ id }) => [id, { resource }])));
  expect([second.problems, second.decision]).toEqual([[], undefined]);
  return { needed: needed.map(({ id }) => id), first: shown(first), second: shown(second), nodes: second.nodes };
}

test('a template of a subscription makes the group, the identity in it, and the assignment', () => {
  const group = {
    type: 'Microsoft.Resources/resourceGroups',
    apiVersion: '2021-04-01',
    name: 'app',
    location: 'westeurope',
  };
  const within = (module: object, id: string) => ({ ...module, resourceGroup: 'app', dependsOn: [id] });
  const principal = `[reference(extensionResourceId(format('/subscriptions/{0}/resourceGroups/{1}', subscription().subscriptionId, 'app'), 'Microsoft.Resources/deployments', 'identity-app'), '2022-09-01').outputs.principalId.value]`;
  const inGroup =
    "extensionResourceId(format('/subscriptions/{0}/resourceGroups/{1}', subscription().subscriptionId, 'app'), 'Microsoft.Resources/deployments', 'identity-app')";
  const resources = [
    group,
    within(identityModule('app'), "[subscriptionResourceId('Microsoft.Resources/resourceGroups', 'app')]"),
    within(roleModule('app', principal), `[${inGroup}]`),
  ];
  const { needed, first, second } = bothRounds(
    { $schema: subscriptionSchema, resources },
    {
      properties: { principalId: 'p', clientId: 'c' },
    },
  );
  expect(needed).toEqual([expect.stringMatching(/resourceGroups\/app\/.*\/userAssignedIdentities\/app$/)]);
  expect([first, second]).toEqual([
    ['resourceGroups', 'userAssignedIdentities'],
    ['resourceGroups', 'userAssignedIdentities', 'roleAssignments'],
  ]);
});

test('the system-assigned identity of a site gets an assignment on an existing registry, with symbolic names', () => {
  const site = moduleOf('site', {
    resources: [
      {
        type: 'Microsoft.Web/sites',
        apiVersion: '2022-03-01',
        name: 'shop',
        location,
        identity: { type: 'SystemAssigned' },
        properties: {},
      },
    ],
    outputs: {
      principal: {
        type: 'string',
        value: "[reference(resourceId('Microsoft.Web/sites', 'shop'), '2022-03-01', 'full').identity.principalId]",
      },
    },
  });
  const access = moduleOf(
    'access',
    {
      languageVersion: '2.0',
      parameters: { principal: { type: 'string' }, registry: { type: 'string' } },
      resources: {
        registry: {
          existing: true,
          type: 'Microsoft.ContainerRegistry/registries',
          apiVersion: '2023-07-01',
          name: "[parameters('registry')]",
        },
        pull: {
          type: 'Microsoft.Authorization/roleAssignments',
          apiVersion: '2022-04-01',
          scope: "[format('Microsoft.ContainerRegistry/registries/{0}', parameters('registry'))]",
          name: "[guid(subscription().id, resourceGroup().id, parameters('principal'), 'pull')]",
          properties: {
            principalId: "[parameters('principal')]",
            roleDefinitionId: "[subscriptionResourceId('Microsoft.Authorization/roleDefinitions', 'pull')]",
          },
        },
      },
    },
    { principal: { value: "[reference('site').outputs.principal.value]" }, registry: { value: 'images' } },
  );
  const resources = { access: { ...access, dependsOn: ['site'] }, site };
  const { first, nodes } = bothRounds({ languageVersion: '2.0', resources }, { identity: { principalId: 'p' } });
  expect(first).toEqual(['sites']);
  expect(nodes.map(({ armId }) => armId)).toContainEqual(
    expect.stringMatching(/registries\/images\/providers\/Microsoft.Authorization\/roleAssignments\/[0-9a-f-]{36}$/),
  );
});

test('a verified module makes its vault in the first round, and the assignments of its parameter in the second', () => {
  const roles = { Reader: "[subscriptionResourceId('Microsoft.Authorization/roleDefinitions', 'reader')]" };
  const vault = moduleOf(
    'vault',
    {
      languageVersion: '2.0',
      definitions: {
        roleAssignmentType: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              name: { type: 'string', nullable: true },
              principalId: { type: 'string' },
              roleDefinitionIdOrName: { type: 'string' },
            },
          },
          nullable: true,
        },
      },
      parameters: { roleAssignments: { $ref: '#/definitions/roleAssignmentType' } },
      variables: {
        copy: [
          {
            name: 'formattedRoleAssignments',
            count: "[length(coalesce(parameters('roleAssignments'), createArray()))]",
            input:
              "[union(coalesce(parameters('roleAssignments'), createArray())[copyIndex('formattedRoleAssignments')], createObject('roleDefinitionId', coalesce(tryGet(variables('builtInRoleNames'), coalesce(parameters('roleAssignments'), createArray())[copyIndex('formattedRoleAssignments')].roleDefinitionIdOrName), '')))]",
          },
        ],
        builtInRoleNames: roles,
      },
      resources: {
        vault: {
          type: 'Microsoft.KeyVault/vaults',
          apiVersion: '2023-07-01',
          name: 'shop',
          location,
          properties: { tenantId: '[subscription().tenantId]', sku: { family: 'A', name: 'standard' } },
        },
        assignments: {
          copy: {
            name: 'assignments',
            count: "[length(coalesce(variables('formattedRoleAssignments'), createArray()))]",
          },
          type: 'Microsoft.Authorization/roleAssignments',
          apiVersion: '2022-04-01',
          scope: "[format('Microsoft.KeyVault/vaults/{0}', 'shop')]",
          name: "[coalesce(tryGet(coalesce(variables('formattedRoleAssignments'), createArray())[copyIndex()], 'name'), guid(resourceId('Microsoft.KeyVault/vaults', 'shop'), coalesce(variables('formattedRoleAssignments'), createArray())[copyIndex()].principalId, coalesce(variables('formattedRoleAssignments'), createArray())[copyIndex()].roleDefinitionId))]",
          properties: {
            roleDefinitionId:
              "[coalesce(variables('formattedRoleAssignments'), createArray())[copyIndex()].roleDefinitionId]",
            principalId: "[coalesce(variables('formattedRoleAssignments'), createArray())[copyIndex()].principalId]",
          },
          dependsOn: ['vault'],
        },
      },
    },
    {
      roleAssignments: {
        value: [
          { roleDefinitionIdOrName: 'Reader', principalId: "[reference('identity').outputs.principalId.value]" },
          { roleDefinitionIdOrName: 'Reader', principalId: 'known' },
        ],
      },
    },
  );
  const resources = { identity: identityModule('app'), vault };
  const { first, second } = bothRounds(
    { languageVersion: '2.0', resources },
    { properties: { principalId: 'p', clientId: 'c' } },
  );
  expect(first.toSorted()).toEqual(['roleAssignments', 'userAssignedIdentities', 'vaults']);
  expect(second.toSorted()).toEqual(['roleAssignments', 'roleAssignments', 'userAssignedIdentities', 'vaults']);
});

/** As azd's container apps: the identity is `existing` in the module that is given its name. */
const containerApp = (isSymbolic: boolean) => {
  const identityType = 'Microsoft.ManagedIdentity/userAssignedIdentities';
  const principal = isSymbolic
    ? "[if(parameters('private'), reference('userIdentity').principalId, '')]"
    : `[if(parameters('private'), reference(resourceId('${identityType}', parameters('identityName')), '2023-01-31').principalId, '')]`;
  const access = {
    ...roleModule('app', principal),
    name: "[format('{0}-registry-access', deployment().name)]",
    condition: "[parameters('private')]",
    dependsOn: [],
  };
  const app = {
    type: 'Microsoft.Network/virtualNetworks',
    apiVersion: '2025-03-01',
    name: 'app',
    location,
    properties: { addressSpace: { addressPrefixes: ['10.0.0.0/16'] } },
    dependsOn: [
      isSymbolic
        ? 'access'
        : "[resourceId('Microsoft.Resources/deployments', format('{0}-registry-access', deployment().name))]",
    ],
  };
  const existing = {
    existing: true,
    type: identityType,
    apiVersion: '2023-01-31',
    name: "[parameters('identityName')]",
  };
  return {
    parameters: { identityName: { type: 'string' }, private: { type: 'bool', defaultValue: true } },
    ...(isSymbolic
      ? { languageVersion: '2.0', resources: { userIdentity: existing, access, app } }
      : { resources: [access, app] }),
  };
};

test.each([
  ['symbolic names', true],
  ['arrays', false],
])('an identity that another module makes is existing where the assignment is made, with %s', (_, isSymbolic) => {
  const [identity] = identityModule('api').properties.template.resources as readonly object[];
  const app = moduleOf(
    'api-app',
    containerApp(isSymbolic),
    { identityName: { value: 'api' } },
    { dependsOn: ["[resourceId('Microsoft.ManagedIdentity/userAssignedIdentities', 'api')]"] },
  );
  const resources = [moduleOf('api', { resources: [identity, app] })];
  const { needed, first, second } = bothRounds({ resources }, { properties: { principalId: 'p' } });
  expect(needed).toEqual([expect.stringMatching(/userAssignedIdentities\/api$/)]);
  expect([first, second.toSorted()]).toEqual([
    ['userAssignedIdentities'],
    ['roleAssignments', 'userAssignedIdentities', 'virtualNetworks'],
  ]);
});
