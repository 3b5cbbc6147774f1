import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Logger, silentLogger } from '../../runtime/base/observability/log.ts';
import type { HealthChange } from './arm/compute/health-change.ts';
import { type StoredResource, StoredResources } from './arm/resources/stored-resources.ts';
import type { Json } from './json.ts';
import type { KeyAndCertificate } from './pki.ts';

/** A service principal of an app registration. Secrets are held in clear: this is a sandbox, its state file is 0600. */
export interface AppRegistration {
  clientId: string;
  /** Object id of the service principal: the `oid` of its tokens, the principalId of role assignments. */
  objectId: string;
  tenantId: string;
  displayName: string;
  createdAt: number;
  secrets: { value: string; expiresAt?: number }[];
  /** PEM. */
  certificates: string[];
  federated: FederatedCredential[];
  /** Permissions in Microsoft Graph; absent = all. */
  graphPermissions?: string[];
}

/** A federated identity credential: the tokens that an application accepts in place of a secret. */
export interface FederatedCredential {
  issuer: string;
  /** Absent where an expression says which tokens are accepted. */
  subject?: string;
  claimsMatchingExpression?: { languageVersion: number; value: string };
  audiences: string[];
}

/** A group of the directory. `members` has the properties that a caller may write. */
export interface StoredGroup {
  /** Object id. */
  readonly id: string;
  readonly tenantId: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly members: Json;
}

/** A subscription of the sandbox. */
export interface Subscription {
  subscriptionId: string;
  tenantId: string;
  displayName: string;
  /** @default none */
  tags?: Record<string, string>;
  /** Set by its owner: nothing more can be made in it. @default false */
  canceled?: boolean;
  /** Namespaces registered, in lower case; used only where registration is enforced. */
  registered: string[];
  /** When each registration began, in milliseconds since the epoch. */
  registeredAt?: Record<string, number>;
  /** Features by `namespace/name` in lower case. */
  features?: Record<string, StoredFeature>;
}

/** A feature of a subscription. Times are milliseconds since the epoch. */
export interface StoredFeature {
  /** As it was set; Registering and Unregistering pass by themselves. */
  state: 'NotRegistered' | 'Pending' | 'Registering' | 'Registered' | 'Unregistering' | 'Unregistered';
  since: number;
  requestedAt: number;
  /** Object id. */
  requester: string;
}

/** A long-running ARM operation. Times are milliseconds since the epoch. */
export interface StoredOperation {
  id: string;
  kind: 'create' | 'update' | 'delete' | 'action';
  resourceId: string;
  type: string;
  apiVersion: string;
  /** How its progress is shown: a status document, a location, or only the resource itself. */
  style: 'status' | 'location' | 'body';
  location: string;
  startedAt: number;
  readyAt: number;
  retryAfterSeconds?: number | undefined;
  /** Word of the status document while it runs. */
  runningWord: string;
  minimalStatus?: boolean;
  state: 'running' | 'succeeded' | 'failed' | 'canceled';
  /** How it is going to end when it does not succeed. */
  failure?: { state: 'failed' | 'canceled'; code: string; message: string; status?: number };
  /** Status of the last Location poll of a delete. */
  deletedStatus?: 200 | 204;
  result?: unknown;
  /** The action of the operation: its name in lower case and the request's body. */
  action?: { name: string; request: Record<string, unknown> };
  endedAt?: number;
}

/** A soft-deleted vault. Times are milliseconds since the epoch. */
export interface DeletedVault {
  subscriptionId: string;
  resource: StoredResource;
  deletedAt: number;
  purgeAt: number;
}

/** A version of a secret, key or certificate in a vault. */
export interface VaultVersion {
  version: string;
  enabled: boolean;
  created: number;
  updated: number;
  nbf?: number;
  exp?: number;
  tags?: Record<string, string>;
  contentType?: string;
  managed?: boolean;
  /** Secret value. */
  value?: string;
  /** Private key, PKCS#8 PEM. */
  keyPem?: string;
  keyOps?: string[];
  /** Certificate, base64 DER. */
  cer?: string;
}

/** A secret, key or certificate with its versions, the newest last. */
export interface VaultObject {
  name: string;
  versions: VaultVersion[];
  deletedAt?: number;
  /** Certificate policy, as sent. */
  policy?: Json;
  /** The pending certificate operation. */
  pending?: Json;
}

/** The collections of a vault, as its URLs name them. */
export type VaultCollection = 'secrets' | 'keys' | 'certificates';

/** The content of a vault; keys of the records are names in lower case. */
export interface VaultData {
  /** Port of its own listener. */
  port?: number;
  secrets: Record<string, VaultObject>;
  keys: Record<string, VaultObject>;
  certificates: Record<string, VaultObject>;
  /** Certificate issuers as they were sent, without passwords. */
  issuers?: Record<string, Json>;
}

/** An identity IMDS serves without an ARM resource behind it (system-assigned, or assigned by the test). */
export interface MachineIdentity {
  clientId: string;
  objectId: string;
  resourceId?: string;
  systemAssigned: boolean;
}

/** Everything the embedded Azure knows, which `JSON.stringify` writes. Keys of the records are in lower case. */
export interface SandboxState {
  version: 1;
  counter: number;
  ca?: KeyAndCertificate;
  signingKeyPem?: string;
  subscriptions: Record<string, Subscription>;
  apps: Record<string, AppRegistration>;
  machineIdentities: MachineIdentity[];
  groups: Record<string, StoredGroup>;
  resources: StoredResources;
  operations: Record<string, StoredOperation>;
  /** Health of instances that changes at a time, milliseconds since the epoch. */
  healthChanges?: { readonly at: number; readonly change: HealthChange }[];
  /** Ids of the scale sets with a rolling upgrade under way. */
  rollingUpgrades?: string[];
  deletedVaults: Record<string, DeletedVault>;
  vaults: Record<string, VaultData>;
  /** Token ids of client assertions seen, with their expiry. */
  usedAssertions: Record<string, number>;
}

/** The state of a sandbox without subscriptions, applications or resources. */
export const emptyState = (): SandboxState => ({
  version: 1,
  counter: 0,
  subscriptions: {},
  apps: {},
  machineIdentities: [],
  groups: {},
  resources: new StoredResources(),
  operations: {},
  rollingUpgrades: [],
  deletedVaults: {},
  vaults: {},
  usedAssertions: {},
});

/** Holds the state and, given a file, writes it there shortly after each change. */
export class StateStore {
  readonly data: SandboxState;
  readonly #file: string | undefined;
  readonly #log: Logger;
  #timer: NodeJS.Timeout | undefined;

  constructor(file?: string, log: Logger = silentLogger) {
    this.#file = file;
    this.#log = log;
    // A file of an earlier version lacks members that came later.
    const saved = file && existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
    this.data = { ...emptyState(), ...saved, resources: new StoredResources(saved.resources) };
  }

  changed(): void {
    if (!this.#file || this.#timer) return;
    this.#timer = setTimeout(() => this.flush(), 50);
    this.#timer.unref();
  }

  /** Writes at once. Logs why the state is not saved where it is too long for a string, or the disk is full. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!this.#file) return;
    try {
      this.#write(this.#file);
    } catch (err) {
      this.#log.error({ err, file: this.#file }, 'the state is not saved; the file has an earlier one');
    }
  }

  /** Writes through a temporary file so that a failure leaves the old state. */
  #write(file: string): void {
    mkdirSync(dirname(file), { recursive: true });
    const temporary = `${file}.new`;
    writeFileSync(temporary, JSON.stringify(this.data), { mode: 0o600 });
    chmodSync(temporary, 0o600);
    renameSync(temporary, file);
  }

  /** Back to nothing, except for the certificates and keys that clients trust already and where vaults listen. */
  reset(): void {
    const { ca, signingKeyPem, counter } = this.data;
    Object.assign(this.data, emptyState(), { ca, signingKeyPem, counter });
    this.changed();
  }
}
