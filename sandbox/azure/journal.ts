import { createHmac, randomBytes } from 'node:crypto';

/** The services whose requests the journal records; `aad` is Microsoft Entra ID. */
export type ServiceName = 'aad' | 'arm' | 'vault' | 'graph' | 'imds' | 'blob' | 'queue';

/** One request as the sandbox saw it. Values of secrets, tokens and bodies are never in here. */
export interface JournalEntry {
  readonly seq: number;
  /** Milliseconds since the epoch, by the sandbox's clock. */
  readonly time: number;
  readonly service: ServiceName;
  readonly method: string;
  /** Host header. */
  readonly host: string;
  /** Path as sent, without query. */
  readonly path: string;
  apiVersion?: string | undefined;
  /** 0 while no answer was sent: a request that hangs or whose connection was dropped. */
  status: number;
  errorCode?: string | undefined;
  /** Id of the access token that authorised the request (ARM, Graph, vault), or that was issued (Entra ID, IMDS). */
  tokenId?: string | undefined;
  /** The caller: the app's or identity's client id, and its object id. */
  clientId?: string | undefined;
  principalId?: string | undefined;
  /** Entra ID: grant type; IMDS: `managed_identity`. */
  grantType?: string | undefined;
  /** Entra ID: how the client authenticated. */
  credential?: 'secret' | 'certificate' | 'federated' | 'managedIdentity' | undefined;
  audience?: string | undefined;
  /** Keyed hash of the body: equal bodies have equal hashes within one run, nothing can be guessed from it. */
  bodyHash?: string | undefined;
  /** Whether the request changed the state: a PUT of the present content does not. */
  effective: boolean;
  requestId?: string | undefined;
  correlationId?: string | undefined;
  userAgent?: string | undefined;
  /** Id of the fault that answered or delayed it. */
  fault?: string | undefined;
}

/** Selects entries; an entry must match every member given. */
export interface JournalFilter {
  readonly service?: ServiceName;
  readonly method?: string;
  /** Regular expression on the path, case-insensitive. */
  readonly path?: string | RegExp;
  readonly status?: number;
  readonly effective?: boolean;
  readonly tokenId?: string;
  readonly clientId?: string;
  /** Only entries with a greater `seq`. */
  readonly after?: number;
}

/** The requests to the sandbox, in order of arrival. Keeps the last 50,000 requests. */
export class Journal {
  readonly #entries: JournalEntry[] = [];
  readonly #key = randomBytes(32);
  #seq = 0;

  add(entry: Omit<JournalEntry, 'seq' | 'status' | 'effective'>): JournalEntry {
    this.#seq += 1;
    const full: JournalEntry = { ...entry, seq: this.#seq, status: 0, effective: false };
    this.#entries.push(full);
    if (this.#entries.length > 50_000) this.#entries.shift();
    return full;
  }

  hash(body: Buffer): string | undefined {
    return body.length === 0 ? undefined : createHmac('sha256', this.#key).update(body).digest('hex');
  }

  /** Entries that match every member of the filter. */
  entries(filter: JournalFilter = {}): JournalEntry[] {
    const path = filter.path === undefined ? undefined : new RegExp(filter.path, 'i');
    return this.#entries.filter(
      (entry) =>
        (filter.service === undefined || entry.service === filter.service) &&
        (filter.method === undefined || entry.method === filter.method.toUpperCase()) &&
        (path === undefined || path.test(entry.path)) &&
        (filter.status === undefined || entry.status === filter.status) &&
        (filter.effective === undefined || entry.effective === filter.effective) &&
        (filter.tokenId === undefined || entry.tokenId === filter.tokenId) &&
        (filter.clientId === undefined || entry.clientId === filter.clientId) &&
        (filter.after === undefined || entry.seq > filter.after),
    );
  }

  /** Tokens issued by Entra ID or IMDS. */
  tokenRequests(): JournalEntry[] {
    return this.#entries.filter(
      (entry) =>
        (entry.service === 'aad' || entry.service === 'imds') && entry.grantType !== undefined && entry.status === 200,
    );
  }

  /**
   * Writes to ARM (PUT, PATCH, POST, DELETE) whose token was not their own: one that another write used before, or one
   * that the sandbox did not issue. Empty when every write had a fresh token. A write that a fault answered has
   * no token here and is not checked.
   */
  reusedTokens(): JournalEntry[] {
    const issued = new Set(this.tokenRequests().map((entry) => entry.tokenId));
    const used = new Set<string | undefined>();
    return this.entries({ service: 'arm' }).filter((entry) => {
      if (entry.method === 'GET' || entry.method === 'HEAD') return false;
      if (entry.fault !== undefined && entry.tokenId === undefined) return false;
      const reused = used.has(entry.tokenId) || !issued.has(entry.tokenId);
      used.add(entry.tokenId);
      return reused;
    });
  }

  clear(): void {
    this.#entries.length = 0;
  }
}
