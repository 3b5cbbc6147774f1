import type { Directory, Principal } from '../entra/directory.ts';
import type { Refusal, Reply } from '../exchange.ts';
import type { Ids } from '../ids.ts';
import type { Journal } from '../journal.ts';
import type { Json } from '../json.ts';
import type { SandboxState, StoredOperation } from '../state.ts';
import type { FeatureApproval, FeatureGate } from './features/feature-types.ts';
import type { ResourcePath } from './resources/resource-path.ts';
import type { StoredResource } from './resources/stored-resources.ts';

/**
 * How a resource type behaves: data first, functions only where its provider computes something. A type without a row
 * gets `genericBehaviour`.
 */
export interface Behaviour {
  /** Microsoft.Storage/storageAccounts */
  readonly type: string;
  /** api-versions it knows, and takes beside later ones; absent = any that has the form of one. */
  readonly apiVersions?: readonly string[];
  /** Whether it has a location (required, immutable) and tags. @default true for top-level types, false for children */
  readonly tracked?: boolean;
  readonly create: WriteStyle;
  /** A PUT or PATCH of an existing resource. */
  readonly update: WriteStyle;
  readonly remove: RemoveStyle;
  /** GET is refused; a HEAD shows whether it exists. @default false */
  readonly unreadable?: boolean;
  /** PATCH is refused unless this is set. @default true */
  readonly patchable?: boolean;
  /** Names it accepts. */
  readonly name?: { readonly pattern: RegExp; refuse(name: string): Refusal };
  /** The answer when the name is used anywhere else in Azure. */
  globallyTaken?(path: ResourcePath, other: StoredResource): Refusal;
  /** provisioningState it ends in; '' = the type has none. @default 'Succeeded' */
  readonly succeeded?: string;
  /** Shows an etag that changes with every write: `W/"..."`, or `plain` as its bare id. */
  readonly etag?: boolean | 'plain';
  /** A write with an If-Match of another etag is accepted, and its operation fails. @default false: it is refused */
  readonly matchesLate?: boolean;
  /** Its provider answers with ids that spell `resourcegroups` in lower case. */
  readonly lowerCaseGroups?: boolean;
  /** Dotted paths that are never shown again. */
  readonly writeOnly?: readonly string[];
  /** Dotted paths of objects that are not shown while they are empty. */
  readonly omitsEmpty?: readonly string[];
  /** Child resources shown inside it, such as the subnets of a network; `member` is a path below `properties`. */
  readonly embeds?: readonly {
    readonly member: string;
    readonly childType: string;
    /** Shown with name and properties only. @default false */
    readonly bare?: boolean;
  }[];
  /** Dotted paths, outermost first, that a PUT leaves as they are where it does not name them. */
  readonly keeps?: readonly string[];
  /** Throws the error with which the provider would refuse the request. */
  validate?(context: WriteContext): void;
  /** The failure that the provider finds after it accepts the write: the end of its operation. The resource exists. */
  failure?(context: WriteContext): OperationFailure | undefined;
  /** Called when a write has come to its good end. */
  written?(resource: StoredResource, context: BehaviourContext): void;
  /** Members the provider fills in where the request has none. */
  defaults?(context: WriteContext): Json;
  /** Members that are the provider's alone: they win over the request. May keep things in `context.system`. */
  computed?(context: WriteContext): Json;
  /** Body of a child that exists as soon as its parent does. */
  implicit?(path: ResourcePath): Json | undefined;
  /** Initial bodies of settings without a name of their own, by the last path segment in lower case. */
  readonly documents?: Readonly<Record<string, Json>>;
  /** The resource as readers see it. @default the body */
  view?(resource: StoredResource, context: BehaviourContext): Json;
  /** The refusal of a list below this parent that has no items. */
  emptyList?(parent: ResourcePath): Refusal;
  /** POST actions by lower-case name. */
  readonly actions?: Readonly<Record<string, (context: ActionContext) => Reply>>;
  /** POST actions, by lower-case name, that are accepted with 202 and have their effect at the end of an operation. */
  readonly longActions?: Readonly<Record<string, LongAction>>;
  /** Called when it is gone, also as part of its resource group. */
  removed?(resource: StoredResource, context: BehaviourContext): void;
  /** Its own wording of 404. */
  notFound?(path: ResourcePath): Refusal;
  /** Member of `properties` that is `Updating` while Azure writes a child of it; no other write is taken then. */
  readonly busyWithChildren?: string;
  /** Code and message for requests that come while an operation runs on it. */
  readonly busy?: { readonly code: string; readonly message: string /** @default 409 */; readonly status?: number };
  /** Lists of children of several types, by their names in lower case. */
  readonly collections?: Readonly<Record<string, readonly string[]>>;
  /** A DELETE answers with the body of the deleted resource. */
  readonly removeShowsBody?: boolean;
}

/** What a type does beside what the catalogue and the recordings say of it. */
export type BehaviourRow = Partial<Behaviour> & Pick<Behaviour, 'type'>;

/** The end of an operation that does not succeed. */
export type OperationFailure = NonNullable<StoredOperation['failure']>;

/** How a provider answers a PUT or PATCH. */
export interface WriteStyle {
  readonly status: 200 | 201 | 202;
  /** none: done at once; body: provisioningState alone; location/status/both: headers. @default 'none' */
  readonly poll?: 'none' | 'body' | 'location' | 'status' | 'both';
  /** provisioningState while it runs. @default 'Creating' or 'Updating' */
  readonly word?: string;
  /** Real Azure's Retry-After, used with `retryAfter: 'real'`. */
  readonly retryAfterSeconds?: number | undefined;
  /** operation: `{operation, startTime}`; status: `{status}`. @default 'resource' */
  readonly body?: 'resource' | 'empty' | 'object' | 'operation' | 'status';
  /** The answer has a Location that is the resource, not an operation. */
  readonly locationIsResource?: boolean;
  /** Status documents hold nothing but `status`. */
  readonly minimalStatus?: boolean;
  /** Last segments of the URLs before the operation's id. @default 'operations', 'operationResults' */
  readonly statusSegment?: string;
  readonly locationSegment?: string;
  /** Query parameters of the Location, such as `monitor=true`. */
  readonly locationQuery?: string;
}

/** How a provider answers a DELETE. */
export interface RemoveStyle {
  readonly status: 200 | 202 | 204 | 405;
  readonly poll?: 'none' | 'location' | 'both' | 'status';
  /** Last poll of the Location. @default 200 */
  readonly final?: 200 | 204;
  readonly retryAfterSeconds?: number | undefined;
  /** As of a write. @default 'empty' */
  readonly body?: WriteStyle['body'];
}

/** The parts of the sandbox that a behaviour may read. */
export interface BehaviourContext {
  readonly state: SandboxState;
  readonly directory: Directory;
  readonly ids: Ids;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly tenantId: string;
  readonly settings: ArmSettings;
  /** The requests to the sandbox. */
  readonly journal: Journal;
  /** Base URL of a vault's data plane, with trailing slash. */
  vaultUri(vaultName: string): string;
  /** Whether nobody can reach the vault at the moment. */
  vaultAway(vaultName: string): boolean;
}

/** The write that a behaviour checks or completes. */
export interface WriteContext extends BehaviourContext {
  readonly path: ResourcePath;
  readonly method: string;
  readonly apiVersion: string;
  /** The request without nulls. */
  readonly request: Json;
  readonly existing: StoredResource | undefined;
  /** The provider's own records of the resource; changes are kept. */
  readonly system: Json;
  readonly caller: Pick<Principal, 'clientId' | 'objectId'>;
}

/** The POST action that a behaviour answers. */
export interface ActionContext extends BehaviourContext {
  readonly path: ResourcePath;
  readonly resource: StoredResource;
  readonly request: Json;
  /** Records that the action changed something. */
  changed(): void;
}

/** A POST action that runs as a long-running operation. */
export interface LongAction {
  /** Throws the error with which the provider would refuse the request. */
  check(context: ActionContext): void;
  /** How the operation ends when the provider cannot do it; `end` is not called then. */
  failure?(context: ActionContext): OperationFailure | undefined;
  /** Its effect; the body behind the operation's Location is the result, or the resource without one. */
  end(context: ActionContext): unknown;
  /** Word of the status document while it runs. @default 'Updating' */
  readonly word?: string;
}

/** Switches that tests turn; all can be changed while the sandbox runs. */
export interface ArmSettings {
  /** Milliseconds a long-running operation takes. @default 1000 */
  operationMs: number;
  /** Seconds of Retry-After, where Azure sends one; 'real' = the value of Azure for the type. @default 1 */
  retryAfterSeconds: number | 'real';
  /** Sends Retry-After with every operation, so that clients never wait as long as without one. @default false */
  alwaysRetryAfter: boolean;
  /** Overrides by ARM type in lower case. */
  types: Record<string, { operationMs?: number; retryAfterSeconds?: number }>;
  /** Milliseconds that a rolling upgrade takes for one batch. @default 1000 */
  rollingBatchMs: number;
  /** Cores that a subscription may use in a region. @default 100000 */
  coreQuota: number;
  /** Cores that it may use of one family, by its name, such as standardDSv3Family. @default coreQuota for each */
  familyQuota: Record<string, number>;
  /** Platform images that are not there, as `publisher:offer:sku:version`. @default [] */
  missingImages: string[];
  /** Items of one page of a list. @default 100 */
  pageSize: number;
  /** Whether ARM checks role assignments. @default false */
  enforceRbac: boolean;
  /** Whether a subscription must register a namespace first. @default false */
  enforceRegistration: boolean;
  /** Milliseconds in which the locations of a registered provider become usable, one by one. @default 0 */
  registrationMs: number;
  /** Features that Azure has, by name, with their approval. */
  features: Record<string, FeatureApproval>;
  /** Milliseconds a feature stays in Registering and Unregistering. @default 1000 */
  featureMs: number;
  /** Writes that are refused without a feature. @default [] */
  featureGates: FeatureGate[];
  /** Milliseconds a new principal is unknown to role assignments without a principalType. @default 0 */
  principalReplicationMs: number;
  /** Milliseconds in which a second federated credential under one identity is refused. @default 0 */
  federatedWriteWindowMs: number;
  /** Issuers whose credentials may have an expression, beside those that Azure names. @default [] */
  expressionIssuers: string[];
  /** Milliseconds a new vault stays in RegisteringDns; 0 = at once ready. @default 0 */
  vaultDnsMs: number;
  /** Whether a vault shows `https://localhost:<port>/` or `https://<vault>.vault.localhost:<port>/`. @default 'port' */
  vaultUri: 'port' | 'name';
}

/** The settings of a new sandbox; times in milliseconds unless the name has a unit. */
export const defaultArmSettings: ArmSettings = {
  operationMs: 1000,
  retryAfterSeconds: 1,
  alwaysRetryAfter: false,
  types: {},
  rollingBatchMs: 1000,
  coreQuota: 100_000,
  familyQuota: {},
  missingImages: [],
  pageSize: 100,
  enforceRbac: false,
  enforceRegistration: false,
  registrationMs: 0,
  features: {
    'Microsoft.Compute/EncryptionAtHost': 'AutoApproval',
    'Microsoft.Compute/SharedDisksPreview': 'ApprovalRequired',
  },
  featureMs: 1000,
  featureGates: [],
  principalReplicationMs: 0,
  federatedWriteWindowMs: 0,
  expressionIssuers: [],
  vaultDnsMs: 0,
  vaultUri: 'port',
};

const asynchronous = { poll: 'status', retryAfterSeconds: 10 } as const;

/** Types without a row: created with 201, polled through a status document, deleted through a Location. */
export const genericBehaviour: Behaviour = {
  type: '*',
  create: { status: 201, ...asynchronous },
  update: { status: 200, ...asynchronous },
  remove: { status: 202, poll: 'both', retryAfterSeconds: 10, final: 204 },
};

/** Types whose provider does everything at once. */
export const synchronous = {
  create: { status: 201 },
  update: { status: 200 },
  remove: { status: 200 },
} as const satisfies Partial<Behaviour>;
