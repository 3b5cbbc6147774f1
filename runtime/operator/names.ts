/** Names that users and other tools see on objects. The first group is ASO v2's, kept word for word. */
const prefix = 'serviceoperator.azure.com/';

export const finalizer = `${prefix}finalizer`;

export const annotations = {
  /** User: manage, skip or detach-on-delete; also on a namespace, for all in it. */
  reconcilePolicy: `${prefix}reconcile-policy`,
  /** User: name of a Secret in the same namespace that holds the credential. */
  credentialFrom: `${prefix}credential-from`,
  /** Operator: the ARM id, once the object is claimed. */
  resourceId: `${prefix}resource-id`,
  /** Operator: what a restart needs to go on; absent while nothing is under way. */
  journal: 'azimuth.dev/journal',
  /** Operator: fingerprints of what was last sent to Azure, so that nothing is sent twice. No content, no secret. */
  applied: 'azimuth.dev/applied',
} as const;

export const labels = {
  ownerName: `${prefix}owner-name`,
  ownerGroupKind: `${prefix}owner-group-kind`,
  ownerUid: `${prefix}owner-uid`,
} as const;

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
  azureResourceNotFound: 'AzureResourceNotFound',
  failedWriting: 'FailedWritingAdditionalKubernetesObjects',
  blocked: 'ReconciliationBlocked',
  failedPermanently: 'ReconciliationFailedPermanently',
  authenticationFailed: 'AuthenticationFailed',
  failed: 'Failed',
} as const;

export const eventReasons = {
  beginCreateOrUpdate: 'BeginCreateOrUpdate',
  createOrUpdateSucceeded: 'CreateOrUpdateSucceeded',
  createOrUpdateActionError: 'CreateOrUpdateActionError',
  beginDelete: 'BeginDelete',
  deleteSucceeded: 'DeleteSucceeded',
  deleteActionError: 'DeleteActionError',
  notPossibleInAzure: 'NotPossibleInAzure',
  overlap: 'Overlap',
} as const;
