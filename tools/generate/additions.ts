import type { ArmKind, GeneratedCredentials, KeyRotation } from '../../runtime/api/types.ts';
import type { CatalogueKind } from './catalogue.ts';

/** What Azimuth does for a kind beyond what the operator catalogue has. */
export interface Addition extends Pick<ArmKind, 'generatedCredentials' | 'keyRotation' | 'azureName'> {
  /** Values that can be exported, for a kind of which ASO v2 exports none. */
  readonly exports?: Required<Pick<CatalogueKind, 'operatorSpec' | 'secretSource'>>;
}

const generatedCredentials: GeneratedCredentials = {
  login: 'administratorLogin',
  password: 'administratorLoginPassword',
  notFor: ['GeoRestore', 'PointInTimeRestore', 'Replica', 'Restore', 'ReviveDropped'],
};

/** Key pairs of Event Hubs and Service Bus: those of the rule itself, or of the rule made with every namespace. */
const ruleKeys = (apiVersion: string, rule = ''): KeyRotation => ({
  action: { method: 'POST', path: `${rule}regenerateKeys`, apiVersion },
  primary: [{ secret: 'primaryKey', body: { keyType: 'PrimaryKey' } }],
  secondary: [{ secret: 'secondaryKey', body: { keyType: 'SecondaryKey' } }],
  counterparts: { primaryKey: 'secondaryKey', primaryConnectionString: 'secondaryConnectionString' },
});

/**
 * By `<first label of the group>/<kind>`. Sources: the REST reference of each resource provider, A Log Analytics workspace is not here: its one action renews both keys at once, so that no
 * order of steps keeps a published key alive; nor are clusters, whose credentials are no pair.
 */
export const additions: Readonly<Record<string, Addition>> = {
  'storage/StorageAccount': {
    // Azure's rule for the name whatever the version: the oldest ones only do not write it down.
    azureName: { pattern: '^[a-z0-9]+$', minLength: 3, maxLength: 24 },
    keyRotation: {
      action: { method: 'POST', path: 'regenerateKey', apiVersion: '2024-01-01' },
      primary: [{ secret: 'key1', body: { keyName: 'key1' } }],
      secondary: [{ secret: 'key2', body: { keyName: 'key2' } }],
      counterparts: { key1: 'key2' },
    },
  },
  'cache/Redis': {
    keyRotation: {
      action: { method: 'POST', path: 'regenerateKey', apiVersion: '2021-06-01' },
      primary: [{ secret: 'primaryKey', body: { keyType: 'Primary' } }],
      secondary: [{ secret: 'secondaryKey', body: { keyType: 'Secondary' } }],
      counterparts: { primaryKey: 'secondaryKey' },
    },
  },
  'documentdb/DatabaseAccount': {
    keyRotation: {
      action: { method: 'POST', path: 'regenerateKey', apiVersion: '2021-10-15' },
      primary: [
        { secret: 'primaryMasterKey', body: { keyKind: 'primary' } },
        { secret: 'primaryReadonlyMasterKey', body: { keyKind: 'primaryReadonly' } },
      ],
      secondary: [
        { secret: 'secondaryMasterKey', body: { keyKind: 'secondary' } },
        { secret: 'secondaryReadonlyMasterKey', body: { keyKind: 'secondaryReadonly' } },
      ],
      counterparts: {
        primaryMasterKey: 'secondaryMasterKey',
        primaryReadonlyMasterKey: 'secondaryReadonlyMasterKey',
      },
    },
  },
  'eventhub/Namespace': { keyRotation: ruleKeys('2024-01-01', 'authorizationRules/RootManageSharedAccessKey/') },
  'eventhub/NamespacesAuthorizationRule': { keyRotation: ruleKeys('2024-01-01') },
  'eventhub/NamespacesEventhubsAuthorizationRule': { keyRotation: ruleKeys('2024-01-01') },
  'servicebus/Namespace': { keyRotation: ruleKeys('2021-11-01', 'AuthorizationRules/RootManageSharedAccessKey/') },
  'servicebus/NamespacesAuthorizationRule': { keyRotation: ruleKeys('2021-11-01') },
  'containerregistry/Registry': {
    exports: {
      operatorSpec: { secrets: ['adminPassword', 'adminPassword2', 'adminUsername', 'loginServer'], configMaps: [] },
      secretSource: {
        action: { method: 'POST', path: 'listCredentials', apiVersion: '2023-07-01' },
        secrets: {
          adminUsername: { from: 'action', path: 'username' },
          adminPassword: { from: 'action', path: 'passwords[?name==password].value' },
          adminPassword2: { from: 'action', path: 'passwords[?name==password2].value' },
          loginServer: { from: 'status', crPath: 'status.loginServer', armPath: 'properties.loginServer' },
        },
        celNames: ['adminUsername', 'adminPassword', 'adminPassword2'],
      },
    },
    keyRotation: {
      action: { method: 'POST', path: 'regenerateCredential', apiVersion: '2023-07-01' },
      primary: [{ secret: 'adminPassword', body: { name: 'password' } }],
      secondary: [{ secret: 'adminPassword2', body: { name: 'password2' } }],
      counterparts: { adminPassword: 'adminPassword2' },
    },
  },
  'sql/Server': { generatedCredentials },
  'dbforpostgresql/FlexibleServer': { generatedCredentials },
  'dbformysql/FlexibleServer': { generatedCredentials },
};
