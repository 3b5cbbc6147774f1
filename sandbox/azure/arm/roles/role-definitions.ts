import { createHash } from 'node:crypto';
import { builtInRoles as publishedRoles } from '../../../../runtime/api/permissions/built-in-roles.ts';
import { type Json, objectOf, stringOf } from '../../json.ts';
import type { SandboxState } from '../../state.ts';

/** A role: its permissions in ARM and in data planes. Patterns use `*` for any text. */
export interface RoleDefinition {
  readonly id: string;
  readonly roleName: string;
  readonly actions: readonly string[];
  readonly notActions?: readonly string[];
  readonly dataActions?: readonly string[];
}

const vault = 'Microsoft.KeyVault/vaults';
const blobs = 'Microsoft.Storage/storageAccounts/blobServices';
const queues = 'Microsoft.Storage/storageAccounts/queueServices/queues';
const delegationKey = `${blobs}/generateUserDelegationKey/action`;

/** Rights of common built-in roles, from Azure's published list of built-in roles. */
const withRights: readonly RoleDefinition[] = [
  { id: '8e3af657-a8ff-443c-a75c-2fe8c4bcb635', roleName: 'Owner', actions: ['*'] },
  {
    id: 'b24988ac-6180-42a0-ab88-20f7382dd24c',
    roleName: 'Contributor',
    actions: ['*'],
    notActions: [
      'Microsoft.Authorization/*/Delete',
      'Microsoft.Authorization/*/Write',
      'Microsoft.Authorization/elevateAccess/Action',
    ],
  },
  { id: 'acdd72a7-3385-48ef-bd42-f606fba81ae7', roleName: 'Reader', actions: ['*/read'] },
  {
    id: '18d7d88d-d35e-4fb5-a5c3-7773c20a72d9',
    roleName: 'User Access Administrator',
    actions: ['*/read', 'Microsoft.Authorization/*'],
  },
  {
    id: 'f1a07417-d97a-45cb-824c-7a7467783830',
    roleName: 'Managed Identity Operator',
    actions: [
      'Microsoft.ManagedIdentity/userAssignedIdentities/*/read',
      'Microsoft.ManagedIdentity/userAssignedIdentities/*/assign/action',
      'Microsoft.Resources/subscriptions/resourceGroups/read',
    ],
  },
  {
    id: 'e40ec5ca-96e0-45a2-b4ff-59039f2c2b59',
    roleName: 'Managed Identity Contributor',
    actions: [
      'Microsoft.ManagedIdentity/userAssignedIdentities/*',
      'Microsoft.Resources/subscriptions/resourceGroups/read',
    ],
  },
  {
    id: '17d1049b-9a84-46fb-8f53-869881c3d3ab',
    roleName: 'Storage Account Contributor',
    actions: ['Microsoft.Storage/storageAccounts/*', 'Microsoft.Resources/subscriptions/resourceGroups/read'],
  },
  {
    id: '81a9662b-bebf-436f-a333-f67b29880f12',
    roleName: 'Storage Account Key Operator Service Role',
    actions: [
      'Microsoft.Storage/storageAccounts/listkeys/action',
      'Microsoft.Storage/storageAccounts/regeneratekey/action',
    ],
  },
  {
    id: 'ba92f5b4-2d11-453d-a403-e96b0029c9fe',
    roleName: 'Storage Blob Data Contributor',
    actions: [`${blobs}/containers/*`, delegationKey],
    dataActions: [`${blobs}/containers/blobs/*`],
  },
  {
    id: '2a2b9908-6ea1-4ae2-8e65-a410df84e7d1',
    roleName: 'Storage Blob Data Reader',
    actions: [`${blobs}/containers/read`, delegationKey],
    dataActions: [`${blobs}/containers/blobs/read`],
  },
  {
    id: 'b7e6dc6d-f1e8-4753-8033-0f276bb0955b',
    roleName: 'Storage Blob Data Owner',
    actions: [`${blobs}/containers/*`, delegationKey],
    dataActions: [`${blobs}/containers/blobs/*`],
  },
  {
    id: '974c5e8b-45b9-4653-ba55-5f855dd0fb88',
    roleName: 'Storage Queue Data Contributor',
    actions: [`${queues}/*`],
    dataActions: [`${queues}/messages/*`],
  },
  {
    id: '8a0f0c08-91a1-4084-bc3d-661d67233fed',
    roleName: 'Storage Queue Data Message Processor',
    actions: [],
    dataActions: [`${queues}/messages/read`, `${queues}/messages/process/action`],
  },
  {
    id: 'c6a89b2d-59bc-44d0-9896-0f6e12d7b80a',
    roleName: 'Storage Queue Data Message Sender',
    actions: [],
    dataActions: [`${queues}/messages/add/action`],
  },
  {
    id: '19e7f393-937e-4f77-808e-94535e297925',
    roleName: 'Storage Queue Data Reader',
    actions: [`${queues}/read`],
    dataActions: [`${queues}/messages/read`],
  },
  {
    id: '4d97b98b-1d4f-4787-a291-c67834d212e7',
    roleName: 'Network Contributor',
    actions: ['Microsoft.Network/*', 'Microsoft.Resources/subscriptions/resourceGroups/read'],
  },
  {
    id: '9980e02c-c2be-4d73-94e8-173b1dc7cf3c',
    roleName: 'Virtual Machine Contributor',
    actions: [
      'Microsoft.Compute/virtualMachines/*',
      'Microsoft.Compute/virtualMachineScaleSets/*',
      'Microsoft.Network/networkInterfaces/*',
      'Microsoft.Resources/subscriptions/resourceGroups/read',
    ],
  },
  {
    id: 'f25e0fa2-a7c8-4377-a976-54943a77a395',
    roleName: 'Key Vault Contributor',
    actions: ['Microsoft.KeyVault/*', 'Microsoft.Resources/subscriptions/resourceGroups/read'],
    notActions: ['Microsoft.KeyVault/locations/deletedVaults/purge/action'],
  },
  {
    id: '00482a5a-887f-4fb3-b363-3b7fe8e74483',
    roleName: 'Key Vault Administrator',
    actions: [`${vault}/read`],
    dataActions: [`${vault}/*`],
  },
  {
    id: 'b86a8fe4-44ce-4948-aee5-eccb2c155cd7',
    roleName: 'Key Vault Secrets Officer',
    actions: [`${vault}/read`],
    dataActions: [`${vault}/secrets/*`],
  },
  {
    id: '4633458b-17de-408a-b874-0445c86b69e6',
    roleName: 'Key Vault Secrets User',
    actions: [],
    dataActions: [`${vault}/secrets/getSecret/action`, `${vault}/secrets/readMetadata/action`],
  },
  {
    id: '14b46e9e-c2b7-41b4-b07b-48a6ebf60603',
    roleName: 'Key Vault Crypto Officer',
    actions: [`${vault}/read`],
    dataActions: [`${vault}/keys/*`],
  },
  {
    id: '12338af0-0e69-4776-bea7-57ae8d297424',
    roleName: 'Key Vault Crypto User',
    actions: [],
    dataActions: [
      'read',
      'update/action',
      'backup/action',
      'encrypt/action',
      'decrypt/action',
      'wrap/action',
      'unwrap/action',
      'sign/action',
      'verify/action',
    ].map((right) => `${vault}/keys/${right}`),
  },
  {
    id: 'a4417e6f-fecd-4de8-b567-7b0420556985',
    roleName: 'Key Vault Certificates Officer',
    actions: [`${vault}/read`],
    dataActions: [`${vault}/certificates/*`, `${vault}/certificatecas/*`],
  },
  {
    id: 'db79e9a7-68ee-4b58-9aeb-b90e7c24fcba',
    roleName: 'Key Vault Certificate User',
    actions: [],
    dataActions: [
      `${vault}/certificates/read`,
      `${vault}/secrets/getSecret/action`,
      `${vault}/secrets/readMetadata/action`,
      `${vault}/keys/read`,
    ],
  },
  {
    id: '21090545-7ca7-4776-b22c-e363652d74d2',
    roleName: 'Key Vault Reader',
    actions: [`${vault}/read`],
    dataActions: [`${vault}/*/read`, `${vault}/secrets/readMetadata/action`],
  },
];

const rightsById = new Map(withRights.map((role) => [role.id, role]));
/** A role that the list has under several names comes once, by the first name with a blank or by the only one. */
const names = new Map<string, string>();
for (const [name, id] of Object.entries(publishedRoles)) {
  if (!names.get(id)?.includes(' ')) names.set(id, name.includes(' ') ? name : (names.get(id) ?? name));
}

/** The built-in roles that the sandbox knows. A role of which it does not know the rights gives none. */
export const builtInRoles: readonly RoleDefinition[] = [
  ...withRights,
  ...[...names].flatMap(([id, roleName]) => (rightsById.has(id) ? [] : [{ id, roleName, actions: [] }])),
];

const customType = 'microsoft.authorization/roledefinitions';

/** A built-in role, or one defined as an ARM resource. */
export function roleDefinitionById(id: string, state: SandboxState): RoleDefinition | undefined {
  const wanted = id.toLowerCase();
  const builtIn = builtInRoles.find((role) => role.id === wanted);
  if (builtIn) return builtIn;
  const custom = state.resources.ofType(customType).find(({ name }) => name.toLowerCase() === wanted);
  if (!custom) return undefined;
  const properties = objectOf(custom.body['properties']);
  const rights = (Array.isArray(properties['permissions']) ? properties['permissions'] : []).map(objectOf);
  const all = (member: string) => rights.flatMap((right) => (right[member] as string[] | undefined) ?? []);
  return {
    id: wanted,
    roleName: stringOf(properties['roleName']),
    actions: all('actions'),
    notActions: all('notActions'),
    dataActions: all('dataActions'),
  };
}

/** The built-in role with this display name; case does not count. */
export const roleDefinitionByName = (name: string) =>
  builtInRoles.find((role) => role.roleName.toLowerCase() === name.toLowerCase());

/** A built-in role as ARM shows it. */
export function roleDefinitionView(role: RoleDefinition, scope: string): Json {
  return {
    properties: {
      roleName: role.roleName,
      type: 'BuiltInRole',
      description: '',
      assignableScopes: ['/'],
      permissions: [
        {
          actions: role.actions,
          notActions: role.notActions ?? [],
          dataActions: role.dataActions ?? [],
          notDataActions: [],
        },
      ],
      createdOn: '2015-02-02T21:55:09.8806423Z',
      updatedOn: '2021-11-11T20:13:07.0171577Z',
      createdBy: null,
      updatedBy: null,
    },
    id: `${scope}/providers/Microsoft.Authorization/roleDefinitions/${role.id}`,
    type: 'Microsoft.Authorization/roleDefinitions',
    name: role.id,
  };
}

/** Stable name for an assignment that the sandbox makes itself. */
export function assignmentName(...parts: readonly string[]): string {
  const hex = createHash('sha256').update(parts.join('\n').toLowerCase()).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
