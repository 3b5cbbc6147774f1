import { normalizeResourceId } from '../../azure/arm/resource-ids.ts';
import { type IdentityPolicy, identityPolicyProblem } from '../../azure/identity/identity-policy.ts';
import type { ArmClient, Authorizer } from '../../azure/types.ts';
import type { BackoffOptions } from '../../base/backoff.ts';
import type { Runtime } from '../../kube/cache/types.ts';
import { keyOf } from '../../kube/client/types.ts';
import { WorkQueue } from '../../kube/controller/work-queue.ts';
import { identityProblem, type Problem } from '../conditions/validity.ts';
import type { Identity } from '../objects.ts';
import { type ReadProblem, readClientId } from './identity-reader.ts';

/**
 * Whether pods may use an AzureIdentity. Pending: its client id is not read yet; `problem` is the reason of a failed
 * read.
 */
export type Verification =
  | { readonly state: 'verified'; readonly clientId: string }
  | { readonly state: 'pending'; readonly problem: Problem | undefined }
  | { readonly state: 'refused'; readonly problem: Problem };

/** Parts of the verifier. */
export interface IdentityVerifierParts {
  readonly runtime: Runtime;
  readonly arm: ArmClient;
  readonly authorizer: Authorizer;
  readonly policy: IdentityPolicy;
  /** Called with the keys of AzureIdentities whose verification changed. */
  readonly changed: (keys: ReadonlySet<string>) => void;
  /** Called with each client id that was read from Azure. */
  readonly clientIdRead: (identity: string, clientId: string) => void;
}

/** Concurrent reads of identities. */
const workers = 8;
/** Delay before a mismatched client id is read again, because the identity may be recreated. */
const mismatchRetryMs = 300_000;

interface Read {
  readonly id: string;
  readonly namespace: string;
}

interface Entry {
  /** Namespace by key of the AzureIdentity. */
  readonly users: Map<string, string>;
  clientId: string | undefined;
  problem: ReadProblem | undefined;
}

/**
 * Applies the policy to AzureIdentities, and reads the client ids of user-assigned ones from Azure. Namespaces share
 * the reads fairly; one read serves all AzureIdentities with the same resource id.
 */
export class IdentityVerifier {
  readonly #parts: IdentityVerifierParts;
  readonly #backoff: BackoffOptions;
  readonly #entries = new Map<string, Entry>();
  /** ARM id by key of the AzureIdentity. */
  readonly #byUser = new Map<string, string>();
  #queue: WorkQueue<Read> | undefined;

  constructor(parts: IdentityVerifierParts, backoff: BackoffOptions = { initialMs: 15_000, maxMs: 600_000 }) {
    this.#parts = parts;
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
      identityPolicyProblem(this.#parts.policy, namespace, identity.spec ?? {});
    if (problem || type !== 0) this.forget(key);
    if (problem) return { state: 'refused', problem };
    if (type !== 0) return { state: 'verified', clientId: clientID };
    const entry = this.#use(key, namespace, normalizeResourceId(resourceID));
    if (entry.clientId === undefined) return { state: 'pending', problem: entry.problem };
    const declared = clientID.trim().toLowerCase();
    if (declared === '' || declared === entry.clientId) return { state: 'verified', clientId: entry.clientId };
    this.#queue?.add({ id: normalizeResourceId(resourceID), namespace }, { delayMs: mismatchRetryMs });
    const message = `spec.clientID is ${JSON.stringify(clientID.slice(0, 100))}, and the identity of spec.resourceID has another client id; correct spec.clientID (az identity show --ids <resourceID> prints it)`;
    return { state: 'refused', problem: { reason: 'ClientIDMismatch', message } };
  }

  /** Forgets an AzureIdentity that is deleted or has no user-assigned identity any more. */
  forget(key: string): void {
    const id = this.#byUser.get(key);
    if (id === undefined) return;
    this.#byUser.delete(key);
    const entry = this.#entries.get(id);
    entry?.users.delete(key);
    if (entry?.users.size === 0) this.#entries.delete(id);
  }

  /** Reads client ids until `stop` or `lost` aborts. */
  async run(stop: AbortSignal, lost?: AbortSignal): Promise<void> {
    const ended = lost ? AbortSignal.any([stop, lost]) : stop;
    const { clock, metrics } = this.#parts.runtime;
    const queue = new WorkQueue<Read>({
      name: 'identity-verification',
      clock,
      metrics,
      id: ({ id }) => id,
      share: ({ namespace }) => namespace,
      backoff: this.#backoff,
    });
    this.#queue = queue;
    for (const [id, { users, clientId }] of this.#entries) {
      const [namespace = ''] = users.values();
      if (clientId === undefined) queue.add({ id, namespace });
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
    const known = this.#entries.get(id);
    const entry = known ?? { users: new Map<string, string>(), clientId: undefined, problem: undefined };
    entry.users.set(key, namespace);
    this.#byUser.set(key, id);
    if (known) return known;
    this.#entries.set(id, entry);
    this.#queue?.add({ id, namespace });
    return entry;
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
    const found = await readClientId(this.#parts, read, signal);
    const before = [entry.clientId, entry.problem?.message];
    if (typeof found === 'string') {
      entry.clientId = found;
      entry.problem = undefined;
      queue.forget(read);
      this.#parts.clientIdRead(read.id, found);
    } else {
      // A client id read once stays valid while Azure does not answer.
      if (found.reason === 'ResourceNotFound') entry.clientId = undefined;
      entry.problem = found;
      queue.retry(read, found.retryAfterMs);
    }
    const changed = before[0] !== entry.clientId || before[1] !== entry.problem?.message;
    if (changed) this.#parts.changed(new Set(entry.users.keys()));
  }
}
