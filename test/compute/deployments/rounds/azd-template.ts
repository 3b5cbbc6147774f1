/** The usual shape of compiled Bicep: the name of a role assignment has the principal that another module's identity gets. */
import { schema } from '../arm-templates.ts';

const identityType = 'Microsoft.ManagedIdentity/userAssignedIdentities';
const reader =
  "subscriptionResourceId('Microsoft.Authorization/roleDefinitions', 'acdd72a7-3385-48ef-bd42-f606fba81ae7')";

/** A module, as Bicep compiles it. */
export const moduleOf = (name: string, parts: object, parameters: object = {}, more: object = {}) => ({
  type: 'Microsoft.Resources/deployments',
  apiVersion: '2022-09-01',
  name,
  ...more,
  properties: {
    expressionEvaluationOptions: { scope: 'inner' },
    mode: 'Incremental',
    parameters,
    template: { $schema: schema, contentVersion: '1.0.0.0', resources: [], ...parts },
  },
});

const output = (name: string, member: string) =>
  `[reference(resourceId('Microsoft.Resources/deployments', '${name}'), '2022-09-01').outputs.${member}.value]`;

/** The identity, whose outputs are its principal and its client. */
export const identityModule = (name: string) =>
  moduleOf(`identity-${name}`, {
    resources: [{ type: identityType, apiVersion: '2023-01-31', name, location: '[resourceGroup().location]' }],
    outputs: Object.fromEntries(
      ['principalId', 'clientId'].map((member) => [
        member,
        { type: 'string', value: `[reference(resourceId('${identityType}', '${name}'), '2023-01-31').${member}]` },
      ]),
    ),
  });

const assignmentName = `guid(resourceGroup().id, parameters('principalId'), ${reader})`;
const assignmentId = `resourceId('Microsoft.Authorization/roleAssignments', ${assignmentName})`;

/** The assignment, whose outputs are its id, and its principal as Azure shows it. */
export const roleModule = (name: string, principal = output(`identity-${name}`, 'principalId')) =>
  moduleOf(
    `role-${name}`,
    {
      parameters: { principalId: { type: 'string' } },
      resources: [
        {
          type: 'Microsoft.Authorization/roleAssignments',
          apiVersion: '2022-04-01',
          name: `[${assignmentName}]`,
          properties: {
            principalId: "[parameters('principalId')]",
            roleDefinitionId: `[${reader}]`,
            principalType: 'ServicePrincipal',
          },
        },
      ],
      outputs: {
        id: { type: 'string', value: `[${assignmentId}]` },
        principal: { type: 'string', value: `[reference(${assignmentId}, '2022-04-01').principalId]` },
      },
    },
    { principalId: { value: principal } },
    { dependsOn: [`[resourceId('Microsoft.Resources/deployments', 'identity-${name}')]`] },
  );

/** A network that comes after a module, and has a tag. */
export const networkAfter = (name: string, module: string, tag = 'none') => ({
  type: 'Microsoft.Network/virtualNetworks',
  apiVersion: '2025-03-01',
  name,
  location: '[resourceGroup().location]',
  tags: { client: tag },
  dependsOn: [`[resourceId('Microsoft.Resources/deployments', '${module}')]`],
  properties: { addressSpace: { addressPrefixes: ['10.0.0.0/16'] } },
});

/** The client of the identity's module. */
export const clientOf = (name: string) => output(`identity-${name}`, 'clientId');

/** An output of the assignment's module. */
export const outputOfRole = (name: string, member: 'id' | 'principal') => output(`role-${name}`, member);

/** The text of a template with these resources. */
export const textOf = (resources: readonly object[], parts: object = {}) =>
  JSON.stringify({ $schema: schema, contentVersion: '1.0.0.0', resources, ...parts });
