import type { FurtherAuthorities } from '../azure/identity/authorities.ts';
import type { IdentityPolicy } from '../azure/identity/identity-policy.ts';
import type { ArmClient, Authorizer } from '../azure/types.ts';
import type { BackoffOptions } from '../base/backoff.ts';
import type { Manager } from '../kube/controller/manager.ts';
import type { MachineFallback } from './attachments/machine.ts';
import type { MachinesOptions } from './machines/machines-deps.ts';

/** Dependencies of the identity controller. */
export interface IdentityDeps {
  readonly manager: Manager;
  readonly arm: ArmClient;
  readonly authorizer: Authorizer;
  readonly options: IdentityOptions;
}

/** Behaviour of the identity controller. */
export interface IdentityOptions {
  readonly forceNamespaced: boolean;
  /** The program's own namespace, which has the attachment records. */
  readonly namespace: string;
  /** Which namespace may use which identity. @default any, as in AAD Pod Identity */
  readonly policy?: IdentityPolicy;
  /** Which authorities an AzureIdentity may name. @default those of Azure's clouds */
  readonly authorities?: FurtherAuthorities | undefined;
  /**
   * How long before a window opens the controller attaches its identity, milliseconds; undefined: windows attach
   * nothing.
   */
  readonly attachEarlyMs?: number | undefined;
  /** AzureAssignedIdentities written concurrently. @default 20 */
  readonly writes?: number;
  /** Client ids, in any case, of identities that are never detached. Read each time. */
  readonly immutableClientIds?: () => readonly string[];
  /** For nodes without a providerID. Read each time. */
  readonly fallback?: () => MachineFallback | undefined;
  readonly machines?: MachinesOptions;
  /** How long before its end a certificate of an AzureIdentity expires soon, milliseconds. @default 30 days */
  readonly certificateWarningMs?: number;
  /** Delays before the controller reads a client id again. @default 15 s to 10 min */
  readonly verificationBackoff?: BackoffOptions;
}
