import type { Clock } from '../../runtime/base/clock.ts';
import type { Logger } from '../../runtime/base/observability/log.ts';
import type { RegisterAppOptions, RegisteredApp } from './apps.ts';
import type { ArmSettings, Behaviour } from './arm/behaviour.ts';
import type { HealthChange } from './arm/compute/health-change.ts';
import type { FeatureDecision } from './arm/features/feature-state.ts';
import type { Bucket, Throttle, ThrottleKind } from './arm/throttle.ts';
import type { Faults } from './faults.ts';
import type { GraphSettings } from './graph/graph.ts';
import type { ImdsSettings } from './imds/imds.ts';
import type { Journal } from './journal.ts';
import type { VaultOutages } from './key-vault/vault-outages.ts';
import type { MachineIdentity } from './state.ts';

/** How an embedded Azure is started. */
export interface EmbeddedAzureOptions {
  /** @default a new one, or that of the state file */
  readonly tenantId?: string;
  /** Ids of the subscriptions that exist. @default one new id, or those of the state file */
  readonly subscriptionIds?: readonly string[];
  /** Ports to listen on, on 127.0.0.1. @default 0, which picks free ones */
  readonly ports?: {
    readonly aad?: number;
    readonly arm?: number;
    readonly vault?: number;
    readonly graph?: number;
    readonly imds?: number;
    readonly blob?: number;
    readonly queue?: number;
    readonly admin?: number;
  };
  /** Makes ids, keys and token ids the same in every run. */
  readonly seed?: string;
  /** The sandbox's time: token expiry, operations, throttling. @default the system's */
  readonly clock?: Clock;
  /** JSON file that keeps the state between runs (mode 0600). @default nothing is kept */
  readonly stateFile?: string;
  /** Where the CA's certificate is written. @default a file in a temporary directory that `close` removes */
  readonly caFile?: string;
  readonly arm?: Partial<ArmSettings>;
  readonly graph?: Partial<GraphSettings>;
  readonly imds?: Partial<ImdsSettings>;
  readonly throttle?: Partial<Record<ThrottleKind, Bucket>>;
  /** Behaviours of further resource types, or replacements of built-in ones. */
  readonly behaviours?: readonly Behaviour[];
  /** Resources that tokens may be asked for, besides Azure's own. */
  readonly audiences?: readonly string[];
  /** Certificate authorities (PEM) of federated issuers, such as the embedded Kubernetes API. */
  readonly issuerCas?: readonly string[];
  /** @default 3599 */
  readonly tokenLifetimeSeconds?: number;
  /** Bearer token of the admin endpoint. @default a random one */
  readonly adminToken?: string;
  readonly log?: Logger;
}

/** Base URLs without trailing slash. */
export interface AzureEndpoints {
  readonly aad: string;
  readonly arm: string;
  /** Microsoft Graph, without the version. */
  readonly graph: string;
  readonly imds: string;
  /** Suffix of host names that lead to vaults where `*.localhost` resolves: `vault.localhost:<port>`. */
  readonly vaultSuffix: string;
  /** Below it, `/<account>` leads to the blobs of a storage account. */
  readonly blob: string;
  /** The same for queues. */
  readonly queue: string;
  /** http, loopback, wants `adminToken`. */
  readonly admin: string;
}

/** A running embedded Azure: its addresses, its journal, and the settings that tests change. */
export interface EmbeddedAzure {
  readonly tenantId: string;
  readonly subscriptionId: string;
  readonly endpoints: AzureEndpoints;
  readonly caPem: string;
  readonly caFile: string;
  readonly journal: Journal;
  readonly faults: Faults;
  readonly vaultOutages: VaultOutages;
  /** May be changed at any time. */
  readonly settings: ArmSettings;
  readonly graph: GraphSettings;
  readonly imds: ImdsSettings;
  readonly throttle: Throttle;
  /** May be changed at any time. */
  readonly tokenSettings: { tokenLifetimeSeconds: number };
  readonly adminToken: string;
  /** The app that `env()` names; Owner of every subscription. */
  readonly defaultApp: RegisteredApp;
  /** Environment of a program that is to use this Azure, for the app given or the default one. */
  env(app?: RegisteredApp): Record<string, string>;
  registerApp(options?: RegisterAppOptions): RegisteredApp;
  /** Adds a subscription, of another tenant if one is named; nobody may do anything in it yet. */
  addSubscription(options?: { readonly tenantId?: string }): {
    readonly subscriptionId: string;
    readonly tenantId: string;
  };
  /** Adds an identity that IMDS serves and that has no ARM resource. */
  addIdentity(identity?: Partial<MachineIdentity>): MachineIdentity;
  /** Assigns a built-in role by name, such as `Key Vault Secrets User`. */
  assignRole(principalId: string, role: string, scope: string): void;
  /** Decides, as Azure's people do, about a feature that waits for approval. */
  decideFeature(decision: FeatureDecision): void;
  /** Makes instances of a scale set ill or well. */
  setInstanceHealth(change: HealthChange): void;
  /** Trusts a federated issuer's certificate authority (PEM). */
  trustIssuerCa(pem: string): void;
  /** Long-running operations that have not come to their end. */
  operationsRunning(): number;
  /** Removes every resource, app, fault and journal entry; certificates, addresses and the default app stay. */
  reset(): void;
  close(): Promise<void>;
}
