import { refuse } from '../../exchange.ts';
import { at, type Json, stringOf } from '../../json.ts';
import { type Behaviour, synchronous } from '../behaviour.ts';
import { groupIdOf, type ResourcePath } from '../resources/resource-path.ts';
import { storageAccount } from './storage-account.ts';
import { apiVersions, invalid, iso } from './storage-common.ts';

/** The services of an account exist with it; a PUT only changes their settings, and answers with no more than a name. */
function service(name: string, properties: Json, more: Json = {}): Behaviour {
  return {
    type: `Microsoft.Storage/storageAccounts/${name}`,
    apiVersions,
    create: { status: 200 },
    update: { status: 200 },
    remove: { status: 405 },
    succeeded: '',
    implicit: (path) => (path.name.toLowerCase() === 'default' ? { ...more, properties } : undefined),
    defaults: () => ({ ...more, properties }),
    validate: onlyDefault,
  };
}

function onlyDefault({ path }: { path: ResourcePath }): void {
  if (path.name.toLowerCase() !== 'default') throw invalid(`${path.types.at(-1)} name`);
}

/** Things inside a service: synchronous, without provisioning state. */
function item(
  type: string,
  created: 200 | 201,
  removed: 200 | 204,
  pattern: RegExp,
  properties: (now: string) => Json,
): Behaviour {
  return {
    type: `Microsoft.Storage/storageAccounts/${type}`,
    apiVersions,
    create: { status: created },
    update: { status: 200 },
    remove: { status: removed },
    succeeded: '',
    name: {
      pattern,
      refuse: (name) =>
        refuse(
          400,
          'InvalidResourceName',
          `The specified resource name '${name}' contains invalid characters or has an invalid length.`,
        ),
    },
    computed: ({ existing, now, system, ids }) => {
      system['itemEtag'] ??= `"0x${ids.hex(15).toUpperCase()}"`;
      return { etag: system['itemEtag'], properties: properties(iso(existing?.createdAt ?? now)) };
    },
    notFound: (path) =>
      refuse(404, 'ContainerNotFound', `The specified ${path.types.at(-1)?.replace(/s$/, '')} does not exist.`),
  };
}

/** The read-only properties of a container that was made at a time. */
export const containerProperties = (created: string): Json => ({
  deleted: false,
  remainingRetentionDays: 0,
  defaultEncryptionScope: '$account-encryption-key',
  denyEncryptionScopeOverride: false,
  leaseStatus: 'Unlocked',
  leaseState: 'Available',
  lastModifiedTime: created,
  legalHold: { hasLegalHold: false, tags: [] },
  hasImmutabilityPolicy: false,
  hasLegalHold: false,
});

/** The read-only properties of a queue. */
export const queueProperties: Json = { approximateMessageCount: 0 };

/** Microsoft.Storage. */
export const storageBehaviours: readonly Behaviour[] = [
  storageAccount,
  service(
    'blobServices',
    { cors: { corsRules: [] }, deleteRetentionPolicy: { allowPermanentDelete: false, enabled: false } },
    { sku: { name: 'Standard_LRS', tier: 'Standard' } },
  ),
  service(
    'fileServices',
    { protocolSettings: { smb: {} }, cors: { corsRules: [] }, shareDeleteRetentionPolicy: { enabled: true, days: 7 } },
    { sku: { name: 'Standard_LRS', tier: 'Standard' } },
  ),
  service('queueServices', {
    logging: { version: '1.0', delete: false, read: false, write: false, retentionPolicy: { enabled: false } },
    cors: { corsRules: [] },
  }),
  service('tableServices', { cors: { corsRules: [] } }),
  {
    ...item(
      'blobServices/containers',
      201,
      200,
      /^(\$root|\$web|[a-z0-9](?!.*--)[a-z0-9-]{1,61}[a-z0-9])$/,
      containerProperties,
    ),
    defaults: () => ({ properties: { publicAccess: 'None' } }),
    validate({ request, state, path }) {
      const open = stringOf(at(request, 'properties.publicAccess'));
      if (!open || open === 'None') return;
      const owner = state.resources.get(
        `${groupIdOf(path)}/providers/Microsoft.Storage/storageAccounts/${path.names[0]}`,
      );
      if (at(owner?.body, 'properties.allowBlobPublicAccess') !== true) {
        throw refuse(409, 'PublicAccessNotPermitted', 'Public access is not permitted on this storage account.');
      }
    },
  },
  {
    ...item('fileServices/shares', 201, 200, /^[a-z0-9](?!.*--)[a-z0-9-]{1,61}[a-z0-9]$/, (created) => ({
      leaseStatus: 'unlocked',
      leaseState: 'available',
      signedIdentifiers: [],
      accessTierChangeTime: created,
      lastModifiedTime: created,
    })),
    defaults: () => ({ properties: { accessTier: 'TransactionOptimized', shareQuota: 102_400 } }),
  },
  {
    ...item('queueServices/queues', 200, 204, /^[a-z0-9](?!.*--)[a-z0-9-]{1,61}[a-z0-9]$/, () => queueProperties),
    defaults: () => ({ properties: { metadata: {} } }),
  },
  {
    type: 'Microsoft.Storage/storageAccounts/tableServices/tables',
    apiVersions,
    create: { status: 200 },
    update: { status: 200 },
    remove: { status: 204 },
    succeeded: '',
    computed: ({ path }) => ({ properties: { tableName: path.name } }),
    defaults: () => ({ properties: { signedIdentifiers: [] } }),
  },
  {
    ...synchronous,
    type: 'Microsoft.Storage/storageAccounts/managementPolicies',
    apiVersions,
    create: { status: 200 },
    succeeded: '',
    computed: ({ now, existing }) => ({ properties: { lastModifiedTime: iso(existing?.changedAt ?? now) } }),
  },
];
