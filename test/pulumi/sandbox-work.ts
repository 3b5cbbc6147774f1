import { randomUUID } from 'node:crypto';
import type { KubeObject } from '../../runtime/kube/client/types.ts';
import type { World } from '../operator/support.ts';
import { type ProviderWork, unknownText } from './providers.ts';

interface ArmPlace {
  readonly path: string;
  readonly apiVersion: string;
  readonly body: object;
}

// biome-ignore lint/suspicious/noExplicitAny: inputs of any resource
type Inputs = any;

/** Where each type of the stacks is in ARM, and its body. */
const armTypes: Readonly<Record<string, (inputs: Inputs, group: string) => ArmPlace>> = {
  UserAssignedIdentity: ({ resourceName }, group) => ({
    path: `${group}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${resourceName}`,
    apiVersion: '2023-01-31',
    body: { location: 'westeurope' },
  }),
  FederatedIdentityCredential: (inputs, group) => ({
    path:
      `${group}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${inputs.resourceName}` +
      `/federatedIdentityCredentials/${inputs.federatedIdentityCredentialResourceName}`,
    apiVersion: '2023-01-31',
    body: { properties: { issuer: inputs.issuer, subject: inputs.subject, audiences: inputs.audiences } },
  }),
  RoleDefinition: ({ scope, roleName, roleType, ...rest }) => ({
    path: `${scope}/providers/Microsoft.Authorization/roleDefinitions/${randomUUID()}`,
    apiVersion: '2022-04-01',
    body: { properties: { roleName, type: roleType, ...rest } },
  }),
  RoleAssignment: ({ scope, ...properties }) => ({
    path: `${scope}/providers/Microsoft.Authorization/roleAssignments/${randomUUID()}`,
    apiVersion: '2022-04-01',
    body: { properties },
  }),
  Vault: ({ vaultName, location, properties }, group) => ({
    path: `${group}/providers/Microsoft.KeyVault/vaults/${vaultName}`,
    apiVersion: '2023-07-01',
    body: { location, properties },
  }),
};

/** The resources of azure-native that the stacks have, in the embedded ARM, in the subscription that the provider has. */
export function azureWork({ portal, azure }: World): ProviderWork {
  const ofType = (type: string) => type.split(':').at(-1) ?? '';
  let { subscriptionId } = azure;
  return {
    // Without one, the subscription of the signed-in account.
    configure: (config) => {
      subscriptionId = config.subscriptionId ?? azure.subscriptionId;
    },
    unknown: { clientId: unknownText, principalId: unknownText },
    replacedBy: () => ['scope', 'resourceName', 'resourceGroupName', 'vaultName', 'principalId', 'roleDefinitionId'],
    create: async (type, inputs) => {
      const place = armTypes[ofType(type)];
      if (!place) throw new Error(`the embedded Azure has no ${type}`);
      const group = `/subscriptions/${subscriptionId}/resourceGroups/${inputs.resourceGroupName}`;
      const { path, apiVersion, body } = place(inputs, group);
      const answer = await portal.arm('PUT', path, apiVersion, body);
      if (answer.status >= 300) throw new Error(`PUT ${path}: ${answer.status} ${answer.text}`);
      const { id, name, properties } = (await portal.arm('GET', path, apiVersion)).body;
      return { id, outputs: { name, ...properties, ...('properties' in inputs && { properties }) } };
    },
    remove: async (type, id) => {
      const { apiVersion } = armTypes[ofType(type)]?.({}, '') ?? {};
      const answer = await portal.arm('DELETE', id, apiVersion ?? '');
      if (answer.status >= 300) throw new Error(`DELETE ${id}: ${answer.status} ${answer.text}`);
    },
  };
}

/** Plurals of the kinds that the platform has, where they are not the kind with an `s`. */
const plurals: Readonly<Record<string, string>> = {
  NetworkPolicy: 'networkpolicies',
  ValidatingAdmissionPolicy: 'validatingadmissionpolicies',
};

/** Objects of the embedded Kubernetes. */
export function kubernetesWork({ client }: World): ProviderWork {
  const resourceOf = (object: KubeObject) => {
    const [version = '', group = ''] = (object.apiVersion ?? '').split('/').reverse();
    const kind = object.kind ?? '';
    const plural = plurals[kind] ?? `${kind.toLowerCase()}s`;
    return { group, version, plural, kind, namespaced: object.metadata.namespace !== undefined };
  };
  const clean = ({ __inputs: _, ...object }: Inputs): KubeObject => object;
  return {
    unknown: {},
    replacedBy: () => [],
    create: async (type, inputs) => {
      const [, apiVersion, kind] = type.match(/^kubernetes:(?:(.+):)([A-Za-z]+)$/) ?? [];
      // As Pulumi's own provider says.
      if (!apiVersion?.includes('/'))
        throw new Error(`apiVersion does not have both a group and a version: ${apiVersion}`);
      const object = clean({
        ...inputs,
        apiVersion: inputs.apiVersion ?? apiVersion?.replace('core/', ''),
        kind: inputs.kind ?? kind,
      });
      const { namespace, name } = object.metadata;
      await client.apply(resourceOf(object), object, { fieldManager: 'pulumi', force: true });
      return { id: [namespace, name].filter(Boolean).join('/'), outputs: {} };
    },
    remove: async (_type, _id, inputs) => {
      const object = clean(inputs);
      const { namespace, name } = object.metadata;
      await client.delete(resourceOf(object), { name, ...(namespace !== undefined && { namespace }) });
    },
  };
}
