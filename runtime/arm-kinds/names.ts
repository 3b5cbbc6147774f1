import { trustedByAnnotation } from '../api/workload-identity.ts';

/** Names that users and other tools see on objects. The first group is ASO v2's, kept word for word. */
const prefix = 'serviceoperator.azure.com/';

/** The finalizer on each object whose Azure resource the operator manages. */
export const finalizer = `${prefix}finalizer`;

/** On a Secret with a credential, while there are resources made with it. */
export const credentialFinalizer = 'azimuth.dev/credential-in-use';

/** Annotations of objects; `User` and `Operator` name their author. */
export const annotations = {
  /** User: manage, skip or detach-on-delete; also on a namespace, for all in it. */
  reconcilePolicy: `${prefix}reconcile-policy`,
  /** User: name of a Secret in the same namespace that holds the credential. */
  credentialFrom: `${prefix}credential-from`,
  /** User: always, never or if-tagged: whether the object adopts an existing resource; also on a namespace. */
  adopt: 'azimuth.dev/adopt',
  /** User: paths of the spec that are left to others once the resource exists. */
  ignoreFields: 'azimuth.dev/ignore-fields',
  /** User: any word; each new one asks for new keys. */
  rotateKeys: 'azimuth.dev/rotate-keys',
  /** User: any word; each new one asks for a new generated password of the administrator. */
  rotateCredentials: 'azimuth.dev/rotate-credentials',
  /** User: how long consumers may take to read a key before the other one is renewed; also on a namespace. */
  rotationOverlap: 'azimuth.dev/rotation-overlap',
  /** User: any text; a new text retries a final failure. */
  retry: 'azimuth.dev/retry',
  /** User, on a scale set: follow, roll or ignore: whether Ready waits for the instances, and who upgrades them. */
  instances: 'azimuth.dev/instances',
  /** User, on a ManagedSecret: any word; each new one asks for a new version. */
  renew: 'azimuth.dev/renew',
  /** User, on a ServiceAccount: name of the UserAssignedIdentity of its namespace that must trust it. */
  trustedBy: trustedByAnnotation,
  /** Operator: the ARM id. One that the operator did not sign is a hint for kinds that generate a name, and no more. */
  resourceId: `${prefix}resource-id`,
  /** Operator: the credential of the object's last finalizer write: `namespace/name` of a Secret, or `global`. */
  credential: 'azimuth.dev/credential',
  /** Operator: the state of the work under way, for a restart; absent while idle. */
  journal: 'azimuth.dev/journal',
  /** Operator: the secrets that it wrote into vaults, which are deleted with the resource. */
  keyVaultSecrets: 'azimuth.dev/key-vault-secrets',
  /** Operator: the Secrets and ConfigMaps that it wrote for the object. */
  exports: 'azimuth.dev/exports',
  /** Operator: fingerprints of the last PUT, so that it is not sent twice. No content, no secret. */
  applied: 'azimuth.dev/applied',
  /** Operator: the journal of a rotation under way. */
  rotation: 'azimuth.dev/rotation',
  /** Operator: fingerprint of the last request for new keys that is done. */
  keysRotated: 'azimuth.dev/keys-rotated',
  /** Operator: how the object came to own its ARM id (runtime/operator/objects/acquisition.ts). */
  acquired: 'azimuth.dev/acquired',
  /** Operator: the signature of the annotations above that the operator writes. Without it the operator ignores them. */
  signature: 'azimuth.dev/signature',
} as const;

/** Never stored: within the operator, an ARM id that came with the object and that the operator did not sign. */
export const broughtResourceId = 'azimuth.dev/brought-resource-id';

/** Labels that the operator puts on objects to find them by owner. */
export const labels = {
  ownerName: `${prefix}owner-name`,
  ownerGroupKind: `${prefix}owner-group-kind`,
  ownerUid: `${prefix}owner-uid`,
} as const;

/** Azure tag that allows an object to adopt the resource. */
export const adoptionTag = 'azimuth-adopt';

/** Field manager and `reportingController`. */
export const operatorName = 'azimuth-operator';

/** Secret with the credential of all objects of its namespace that name none. */
export const namespaceCredential = 'aso-credential';

/** Reasons of the Ready condition besides ARM's own error codes. */
export const reasons = {
  succeeded: 'Succeeded',
  reconciling: 'Reconciling',
  deleting: 'Deleting',
  waitingForOwner: 'WaitingForOwner',
  referenceNotFound: 'ReferenceNotFound',
  secretNotFound: 'SecretNotFound',
  configMapNotFound: 'ConfigMapNotFound',
  subscriptionMismatch: 'SubscriptionMismatch',
  scopeNotAllowed: 'ScopeNotAllowed',
  azureResourceNotFound: 'AzureResourceNotFound',
  adoptionRefused: 'AdoptionRefused',
  deletionNotSupported: 'DeletionNotSupportedInAzure',
  failedWriting: 'FailedWritingAdditionalKubernetesObjects',
  keyVaultAccessDenied: 'KeyVaultAccessDenied',
  keyVaultUnavailable: 'KeyVaultUnavailable',
  databaseUnavailable: 'DatabaseUnavailable',
  failedWritingKeyVault: 'FailedWritingKeyVault',
  blocked: 'ReconciliationBlocked',
  failedPermanently: 'ReconciliationFailedPermanently',
  authenticationFailed: 'AuthenticationFailed',
  authenticationUnavailable: 'AuthenticationUnavailable',
  failed: 'Failed',
} as const;

/** Reasons of the conditions KeysRotated and CredentialsRotated, besides ARM's own error codes. */
export const rotationReasons = {
  rotated: 'Rotated',
  rotating: 'Rotating',
  held: 'RotationHeld',
  notSupported: 'RotationNotSupported',
  invalid: 'RotationOverlapInvalid',
} as const;

/** Reasons of the Ready condition of a ManagedSecret that a choice of its versions gives. */
export const secretReasons = {
  pinned: 'VersionPinned',
  pinUnavailable: 'PinnedVersionUnavailable',
  renewalPaused: 'RenewalPaused',
  rollingOut: 'RollingOut',
  rolloutStopped: 'RolloutStopped',
  newestDiffers: 'NewestVersionDiffers',
} as const;

/** Reasons of the operator's events, as docs/reference/operator.md lists them. */
export const eventReasons = {
  beginCreateOrUpdate: 'BeginCreateOrUpdate',
  createOrUpdateSucceeded: 'CreateOrUpdateSucceeded',
  createOrUpdateActionError: 'CreateOrUpdateActionError',
  repairingDrift: 'RepairingDrift',
  registeringProvider: 'RegisteringProvider',
  adopted: 'Adopted',
  adoptionRefused: 'AdoptionRefused',
  keyVaultSecretsWritten: 'KeyVaultSecretsWritten',
  keyVaultSecretsLeft: 'KeyVaultSecretsLeft',
  credentialsStored: 'CredentialsStored',
  credentialsRotated: 'CredentialsRotated',
  keyRotationBegun: 'KeyRotationBegun',
  renewingKey: 'RenewingKey',
  keysRotated: 'KeysRotated',
  keyRotationFailed: 'KeyRotationFailed',
  beginDelete: 'BeginDelete',
  deleteSucceeded: 'DeleteSucceeded',
  deleteActionError: 'DeleteActionError',
  notPossibleInAzure: 'NotPossibleInAzure',
  duplicateResourceId: 'DuplicateResourceId',
  unknownPolicy: 'UnknownPolicy',
  statusTooLarge: 'StatusTooLarge',
  secretsDelivered: 'SecretsDelivered',
  secretDeliveryStopped: 'SecretDeliveryStopped',
  machineWarning: 'MachineWarning',
  secretRenewed: 'SecretRenewed',
  secretDisabled: 'SecretDisabled',
  secretReimported: 'SecretReimported',
  secretRenewalFailed: 'SecretRenewalFailed',
  secretCopyStale: 'SecretCopyStale',
  secretRolloutStep: 'SecretRolloutStep',
  secretRolloutStopped: 'SecretRolloutStopped',
  federatedCredentialMissing: 'FederatedCredentialMissing',
} as const;
