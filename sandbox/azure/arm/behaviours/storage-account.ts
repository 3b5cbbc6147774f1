import { refuse } from '../../exchange.ts';
import { at, merge, objectOf, stringOf } from '../../json.ts';
import type { ActionContext, Behaviour, BehaviourContext } from '../behaviour.ts';
import type { StoredResource } from '../resources/stored-resources.ts';
import { apiVersions, invalid, iso } from './storage-common.ts';

interface StorageKey {
  keyName: string;
  value: string;
  permissions: 'FULL';
  creationTime: string;
}

const keysOf = (resource: StoredResource) => resource.system['keys'] as StorageKey[];

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

/** Microsoft.Storage/storageAccounts. */
export const storageAccount: Behaviour = {
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
  defaults: ({ request, apiVersion }) => ({
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
      // Its default until that api-version.
      supportsHttpsTrafficOnly: apiVersion >= '2019-04-01',
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
