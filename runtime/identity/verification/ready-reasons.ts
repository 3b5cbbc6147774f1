/** What a reason says about the object: the status of Ready, and the severity where it is not simply True. */
interface Outcome {
  readonly status: 'True' | 'False' | 'Unknown';
  readonly severity?: 'Warning' | 'Error';
}

/** Somebody has to edit the object, or its Secret. */
const needsEdit: Outcome = { status: 'False', severity: 'Error' };
/** The controller waits for another object, or asks Azure again. */
const waits: Outcome = { status: 'False', severity: 'Warning' };
const unknown: Outcome = { status: 'Unknown', severity: 'Warning' };
const usable: Outcome = { status: 'True' };

/** Every reason of the Ready condition of an AzureIdentity or AzureIdentityBinding; docs/reference/identity.md has them. */
export const readyReasons = {
  Accepted: usable,
  CertificateExpiresSoon: usable,
  HostNetworkNotServed: usable,
  AuthorityNotAllowed: needsEdit,
  ClientIDMismatch: needsEdit,
  IdentityNotAllowed: needsEdit,
  InvalidAvailability: needsEdit,
  InvalidField: needsEdit,
  InvalidGrant: needsEdit,
  InvalidResourceID: needsEdit,
  MissingField: needsEdit,
  SecretNotAllowed: needsEdit,
  SecretNotUsable: needsEdit,
  UnsupportedReference: needsEdit,
  UnsupportedType: needsEdit,
  IdentityNotFound: waits,
  IdentityNotUsable: waits,
  ReferencedIdentityNotFound: waits,
  ResourceNotFound: waits,
  SecretNotFound: waits,
  IdentityNotVerified: unknown,
  ReferencedIdentityNotReady: unknown,
  SecretNotReadable: unknown,
} as const satisfies Record<string, Outcome>;

/** A reason of the Ready condition of an AzureIdentity or AzureIdentityBinding. */
export type ReadyReason = keyof typeof readyReasons;

/** The outcome of each reason. */
export const outcomeOf = (reason: ReadyReason): Outcome => readyReasons[reason];
