import { normalizeResourceId } from '../../azure/arm/resource-ids.ts';
import { type IdentityPolicy, identityPolicyProblem } from '../../azure/identity/identity-policy.ts';
import type { ArmClient, Authorizer } from '../../azure/types.ts';
import { type BackoffOptions, backoff } from '../../base/backoff.ts';
import type { Runtime } from '../../kube/cache/types.ts';
import { keyOf } from '../../kube/client/types.ts';
import { WorkQueue } from '../../kube/controller/work-queue.ts';
import type { Identity } from '../objects.ts';
import { type ReadProblem, readClientId } from './identity-reader.ts';
import { identityProblem, type Problem } from './validity.ts';

/**
 * Whether pods may use an AzureIdentity. Pending: its client id is not read yet; `problem` is the reason of a failed
 * read.
 */
export type Verification =
  | { readonly state: 'verified'; readonly clientId: string }
  | { readonly state: 'pending'; readonly problem: Problem | undefined }
  | { readonly state: 'refused'; readonly problem: Problem };

/** Dependencies of the verifier. */
export interface IdentityVerifierDeps {
  readonly runtime: Runtime;
  readonly arm: ArmClient;
  readonly authorizer: Authorizer;
  readonly policy: IdentityPolicy;
  /** Called with the keys of AzureIdentities whose verification changed. */
  readonly changed: (keys: ReadonlySet<string>) => void;
  /**
   * Called after each answer of Azure about an identity, with its client id: undefined where Azure has none. `isChanged`:
   * the answer before was another client id.
   */
  readonly clientIdRead: (identity: string, clientId: string | undefined, isChanged: boolean) => void;
}

/** Concurrent reads of identities. */
const workers = 8;
/** Delays before a doubtful client id is read again: somebody may have recreated the identity a moment ago. */
const rereadBackoff = { initialMs: 5000, maxMs: 300_000 } as const;
/** A namespace with n doubtful identities waits n times as long for each at least: it gets one such read a second. */
const rereadShareMs = 1000;
/** The key of a doubt that a machine caused. AzureIdentities have keys with a namespace. */
const ofMachine = '';

/** What Azure answered about an identity. */
export interface IdentityAnswer {
  /** When the read was sent, monotonic milliseconds. */
  readonly sentAt: number;
  /** Undefined where Azure has no such identity. */
  readonly clientId: string | undefined;
}

interface Read {
  readonly id: string;
  readonly namespace: string;
}

interface Entry {
  /** Namespace by key of the AzureIdentity. */
  readonly users: Map<string, string>;
  clientId: string | undefined;
  problem: ReadProblem | undefined;
  /** When the last read that Azure answered was sent, on the monotonic clock. */
  readAt: number;
  /** Namespace by key of the AzureIdentities that declare another client id, and of `ofMachine`. */
  readonly doubts: Map<string, string>;
  /** Reads because of a doubt, and the time of the next or last one on the monotonic clock. */
  rereads: { readonly count: number; readonly at: number };
}

/**
 * Applies the policy to AzureIdentities, and reads the client ids of user-assigned ones from Azure. Namespaces share
 * the reads fairly; one read serves all AzureIdentities with the same resource id.
 */
export class IdentityVerifier {
  readonly #deps: IdentityVerifierDeps;
  readonly #backoff: BackoffOptions;
  readonly #entries = new Map<string, Entry>();
  /** ARM id by key of the AzureIdentity. */
  readonly #byUser = new Map<string, string>();
  /** Number of doubts by namespace. */
  readonly #doubts = new Map<string, number>();
  #queue: WorkQueue<Read> | undefined;

  constructor(deps: IdentityVerifierDeps, backoff: BackoffOptions = { initialMs: 15_000, maxMs: 600_000 }) {
    this.#deps = deps;
    this.#backoff = backoff;
  }

  /** The verification of an AzureIdentity now. Enqueues a read where its client id is not known. */
  of(identity: Identity): Verification {
    const { namespace = '' } = identity.metadata;
    const { type = 0, resourceID = '', clientID = '' } = identity.spec ?? {};
    const key = keyOf(identity);
    const problem =
      identity.unresolved ??
      (type === 0 ? identityProblem(identity.spec) : undefined) ??
      identityPolicyProblem(this.#deps.policy, namespace, identity.spec ?? {});
    if (problem || type !== 0) this.forget(key);
    if (problem) return { state: 'refused', problem };
    if (type !== 0) return { state: 'verified', clientId: clientID };
    const entry = this.#use(key, namespace, normalizeResourceId(resourceID));
    if (entry.clientId === undefined) return { state: 'pending', problem: entry.problem };
    const declared = clientID.toLowerCase();
    if (declared === '' || declared === entry.clientId) {
      this.#settle(entry, key);
      return { state: 'verified', clientId: entry.clientId };
    }
    this.#doubt(entry, { key, namespace, id: normalizeResourceId(resourceID) });
    const message = `spec.clientID is ${JSON.stringify(clientID.slice(0, 100))}, and the identity of spec.resourceID has another client id; correct spec.clientID (az identity show --ids <resourceID> prints it)`;
    return { state: 'refused', problem: { reason: 'ClientIDMismatch', message } };
  }

  /** Forgets an AzureIdentity that is deleted or has no user-assigned identity any more. */
  forget(key: string): void {
    const id = this.#byUser.get(key);
    if (id === undefined) return;
    this.#byUser.delete(key);
    const entry = this.#entries.get(id);
    if (!entry) return;
    this.#settle(entry, key);
    entry.users.delete(key);
    if (entry.users.size > 0) return;
    this.#settle(entry, ofMachine);
    this.#entries.delete(id);
  }

  /** A machine shows this client id of an identity, or undefined for none: reads the identity again where it differs. */
  shown(identity: string, clientId: string | undefined): void {
    const entry = this.#entries.get(identity);
    if (!entry || entry.clientId === undefined || entry.clientId === clientId) return;
    const [namespace = ''] = entry.users.values();
    this.#doubt(entry, { key: ofMachine, namespace, id: identity });
  }

  /** Azure's last answer about an identity; undefined before the first. */
  answerOf(identity: string): IdentityAnswer | undefined {
    const { readAt = Number.NEGATIVE_INFINITY, clientId } = this.#entries.get(identity) ?? {};
    return readAt === Number.NEGATIVE_INFINITY ? undefined : { sentAt: readAt, clientId };
  }

  /** Reads client ids until `ended` aborts. */
  async run(ended: AbortSignal): Promise<void> {
    const { clock, metrics } = this.#deps.runtime;
    const queue = new WorkQueue<Read>({
      name: 'identity-verification',
      clock,
      metrics,
      id: ({ id }) => id,
      share: ({ namespace }) => namespace,
      perShare: workers / 2,
      backoff: this.#backoff,
    });
    this.#queue = queue;
    for (const [id, { users, clientId, doubts }] of this.#entries) {
      const [namespace = ''] = users.values();
      if (clientId === undefined || doubts.size > 0) queue.add({ id, namespace });
    }
    const running = Promise.all(Array.from({ length: workers }, () => this.#work(queue, ended)));
    await new Promise<void>((resolve) => {
      if (ended.aborted) resolve();
      ended.addEventListener('abort', () => resolve(), { once: true });
    });
    this.#queue = undefined;
    queue.close();
    await running;
  }

  #use(key: string, namespace: string, id: string): Entry {
    if (this.#byUser.get(key) !== id) this.forget(key);
    const verifiedEntry = this.#entries.get(id);
    const entry: Entry = verifiedEntry ?? {
      users: new Map(),
      clientId: undefined,
      problem: undefined,
      readAt: Number.NEGATIVE_INFINITY,
      doubts: new Map(),
      rereads: { count: 0, at: Number.NEGATIVE_INFINITY },
    };
    entry.users.set(key, namespace);
    this.#byUser.set(key, id);
    if (verifiedEntry) return verifiedEntry;
    this.#entries.set(id, entry);
    this.#queue?.add({ id, namespace });
    return entry;
  }

  #doubt(entry: Entry, { key, namespace, id }: { key: string; namespace: string; id: string }): void {
    if (entry.doubts.has(key)) return;
    entry.doubts.set(key, namespace);
    this.#doubts.set(namespace, (this.#doubts.get(namespace) ?? 0) + 1);
    this.#reread(entry, id);
  }

  #settle(entry: Entry, key: string): void {
    const namespace = entry.doubts.get(key);
    if (namespace === undefined) return;
    entry.doubts.delete(key);
    const left = (this.#doubts.get(namespace) ?? 1) - 1;
    if (left > 0) this.#doubts.set(namespace, left);
    else this.#doubts.delete(namespace);
  }

  /**
   * Reads a doubtful identity again after a delay that grows with each read. Edits of the AzureIdentity do not make
   * it shorter: only a pause without doubts does.
   */
  #reread(entry: Entry, id: string): void {
    const [namespace] = entry.doubts.values();
    if (namespace === undefined || !this.#queue) return;
    const now = this.#deps.runtime.clock.monotonic();
    const { maxMs } = rereadBackoff;
    let { count, at } = entry.rereads;
    if (at <= now) {
      count = now - at > 2 * maxMs ? 1 : count + 1;
      const share = (this.#doubts.get(namespace) ?? 1) * rereadShareMs;
      at = now + Math.min(maxMs, Math.max(share, backoff(count - 1, rereadBackoff)));
      entry.rereads = { count, at };
    }
    this.#queue.add({ id, namespace }, { delayMs: Math.max(1, at - now) });
  }

  async #work(queue: WorkQueue<Read>, signal: AbortSignal): Promise<void> {
    for (let read = await queue.take(); read; read = await queue.take()) {
      const entry = this.#entries.get(read.id);
      if (entry) await this.#read(queue, read, entry, signal).catch(() => undefined);
      else queue.forget(read);
      queue.done(read);
    }
  }

  async #read(queue: WorkQueue<Read>, read: Read, entry: Entry, signal: AbortSignal): Promise<void> {
    const sentAt = this.#deps.runtime.clock.monotonic();
    const clientId = await readClientId(this.#deps, read, signal);
    const before = { clientId: entry.clientId, message: entry.problem?.message };
    const isRead = typeof clientId === 'string';
    if (isRead || clientId.reason === 'ResourceNotFound') {
      entry.clientId = isRead ? clientId : undefined;
      entry.readAt = sentAt;
    }
    // A client id read once stays valid while Azure does not answer.
    entry.problem = isRead ? undefined : clientId;
    if (isRead) queue.forget(read);
    else queue.retry(read, clientId.retryAfterMs);
    const isOther = before.clientId !== entry.clientId;
    if (entry.readAt === sentAt) {
      this.#deps.clientIdRead(read.id, entry.clientId, isOther && before.clientId !== undefined);
    }
    if (isOther) for (const key of entry.doubts.keys()) this.#settle(entry, key);
    else if (isRead) this.#settle(entry, ofMachine);
    if (isOther || before.message !== entry.problem?.message) this.#deps.changed(new Set(entry.users.keys()));
    if (isRead) this.#reread(entry, read.id);
  }
}
