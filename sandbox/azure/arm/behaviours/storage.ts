import { refuse } from '../../exchange.ts';
import { at, type Json, merge, objectOf, stringOf } from '../../json.ts';
import type { StoredResource } from '../../state.ts';
import { type ActionContext, type Behaviour, type BehaviourContext, synchronous } from '../behaviour.ts';
import { groupIdOf, type ResourcePath } from '../resources/resource-path.ts';

const apiVersions = [
  '2019-06-01',
  '2021-01-01',
  '2021-02-01',
  '2021-04-01',
  '2021-09-01',
  '2022-05-01',
  '2022-09-01',
  '2023-01-01',
  '2023-04-01',
  '2023-05-01',
  '2024-01-01',
  '2025-01-01',
  '2025-06-01',
  '2025-08-01',
  '2026-04-01',
  '2026-09-01',
];

interface StorageKey {
  keyName: string;
  value: string;
  permissions: 'FULL';
  creationTime: string;
}

const keysOf = (resource: StoredResource) => resource.system['keys'] as StorageKey[];

const iso = (ms: number) => new Date(ms).toISOString();

const newKey = (context: BehaviourContext, keyName: string): StorageKey => ({
  keyName,
  value: context.ids.bytes(64).toString('base64'),
  permissions: 'FULL',
  creationTime: iso(context.now),
});

function requireProvisioned({ resource }: ActionContext): void {
  if (at(resource.body, 'properties.provisioningState') === 'Succeeded') return;
  throw refuse(
    409,
    'StorageAccountIsNotProvisioned',
    "The storage account provisioning state must be 'Succeeded' before executing the operation.",
  );
}

function listKeys(context: ActionContext) {
  requireProvisioned(context);
  return { status: 200, body: { keys: keysOf(context.resource) } };
}

function regenerateKey(context: ActionContext) {
  requireProvisioned(context);
  const wanted = stringOf(context.request['keyName']);
  const keys = keysOf(context.resource);
  const index = keys.findIndex(({ keyName }) => keyName === wanted);
  if (index < 0) {
    throw refuse(400, 'InvalidValuesForRequestParameters', 'Values for request parameters are invalid: keyName.');
  }
  keys[index] = newKey(context, wanted);
  const times = objectOf(at(context.resource.body, 'properties.keyCreationTime'));
  context.resource.body = merge(context.resource.body, {
    properties: { keyCreationTime: { ...times, [wanted]: keys[index].creationTime } },
  });
  context.changed();
  return { status: 200, body: { keys } };
}

const account: Behaviour = {
  type: 'Microsoft.Storage/storageAccounts',
  apiVersions,
  create: {
    status: 202,
    poll: 'location',
    word: 'Creating',
    retryAfterSeconds: 17,
    body: 'empty',
    locationSegment: 'asyncoperations',
    locationQuery: 'monitor=true',
  },
  update: { status: 200 },
  remove: { status: 200 },
  busy: {
    code: 'StorageAccountOperationInProgress',
    message: 'An operation is currently performing on this storage account that requires exclusive access.',
  },
  name: {
    pattern: /^[a-z0-9]{3,24}$/,
    refuse: (name) =>
      refuse(
        400,
        'AccountNameInvalid',
        `${name} is not a valid storage account name. Storage account name must be between 3 and 24 characters in length and use numbers and lower-case letters only.`,
      ),
  },
  globallyTaken: (path, other) =>
    other.subscriptionId.toLowerCase() === path.subscriptionId?.toLowerCase()
      ? refuse(
          409,
          'StorageAccountInAnotherResourceGroup',
          `The account ${path.name} is already in another resource group in this subscription.`,
        )
      : refuse(409, 'StorageAccountAlreadyTaken', `The storage account named ${path.name} is already taken.`),
  validate({ request, existing, method }) {
    if (!at(request, 'sku.name')) throw invalid('sku');
    const kind = stringOf(request['kind']);
    if (!kind && method === 'PUT') throw invalid('kind');
    if (!['Storage', 'StorageV2', 'BlobStorage', 'BlockBlobStorage', 'FileStorage'].includes(kind))
      throw invalid('kind');
    if (kind === 'BlobStorage' && at(request, 'properties.accessTier') === undefined && !existing)
      throw invalid('accessTier');
    const period = at(request, 'properties.keyPolicy.keyExpirationPeriodInDays');
    if (typeof period === 'number' && period < 0) throw invalid('keyPolicy.keyExpirationPeriodInDays');
  },
  defaults: ({ request }) => ({
    sku: { tier: stringOf(at(request, 'sku.name')).split('_')[0] },
    properties: {
      allowCrossTenantReplication: false,
      minimumTlsVersion: 'TLS1_2',
      allowBlobPublicAccess: false,
      networkAcls: {
        ipv6Rules: [],
        bypass: 'AzureServices',
        virtualNetworkRules: [],
        ipRules: [],
        defaultAction: 'Allow',
      },
      supportsHttpsTrafficOnly: true,
      encryption: { keySource: 'Microsoft.Storage' },
      ...(request['kind'] === 'Storage' ? {} : { accessTier: 'Hot' }),
    },
  }),
  computed(context) {
    const { system, path, request, existing } = context;
    system['keys'] ??= [newKey(context, 'key1'), newKey(context, 'key2')];
    const keys = system['keys'] as StorageKey[];
    const created = iso(existing?.createdAt ?? context.now);
    const host = (service: string) => `https://${path.name}.${service}.core.windows.net/`;
    const encrypted = { keyType: 'Account', enabled: true, lastEnabledTime: created };
    return {
      properties: {
        keyCreationTime: Object.fromEntries(keys.map(({ keyName, creationTime }) => [keyName, creationTime])),
        privateEndpointConnections: [],
        encryption: { services: { file: encrypted, blob: encrypted } },
        creationTime: created,
        primaryEndpoints: {
          dfs: host('dfs'),
          web: host('z5.web'),
          blob: host('blob'),
          queue: host('queue'),
          table: host('table'),
          file: host('file'),
        },
        primaryLocation: request['location'],
        statusOfPrimary: 'available',
      },
    };
  },
  actions: { listkeys: listKeys, regeneratekey: regenerateKey },
};

const invalid = (name: string) =>
  refuse(400, 'InvalidValuesForRequestParameters', `Values for request parameters are invalid: ${name}.`);

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

/** Microsoft.Storage. */
export const storageBehaviours: readonly Behaviour[] = [
  account,
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
      (created) => ({
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
      }),
    ),
    defaults: () => ({ properties: { publicAccess: 'None' } }),
    validate({ request, state, path }) {
      const open = stringOf(at(request, 'properties.publicAccess'));
      if (!open || open === 'None') return;
      const owner =
        state.resources[
          `${groupIdOf(path)}/providers/Microsoft.Storage/storageAccounts/${path.names[0]}`.toLowerCase()
        ];
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
    ...item('queueServices/queues', 200, 204, /^[a-z0-9](?!.*--)[a-z0-9-]{1,61}[a-z0-9]$/, () => ({
      approximateMessageCount: 0,
    })),
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
