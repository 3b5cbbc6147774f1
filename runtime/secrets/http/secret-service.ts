import type { Clock } from '../../base/clock.ts';
import { roughDuration } from '../../base/duration.ts';
import type { WatchedCache } from '../../kube/cache/types.ts';
import type { AttestedDocuments } from '../attestation/attested-documents.ts';
import type { SecretAudit } from '../audit.ts';
import type { Consumers, Grant } from '../consumers/consumers.ts';
import type { Principals } from '../consumers/machine-reader.ts';
import { HttpError } from '../protocol/http-error.ts';
import type { SecretRequest } from '../protocol/secret-request.ts';
import type { ClusterContact } from '../secrets/cluster-contact.ts';
import type { FeatureGates } from '../secrets/feature-gates.ts';
import type { HeldSecrets } from '../secrets/held-secrets.ts';
import { type EndpointSecret, keyOf, maxStalenessOf } from '../secrets/managed-secrets.ts';
import type { PemValues } from '../secrets/pem-values.ts';
import type { HeldVersion } from '../secrets/secret-reader.ts';
import type { SecretsMetrics } from '../secrets-metrics.ts';
import type { Caller } from '../tokens/token-verifier.ts';
import type { CallerLimits } from './caller-limits.ts';

/** Dependencies of SecretService. */
export interface SecretServiceDeps {
  readonly objects: WatchedCache<EndpointSecret>;
  readonly held: HeldSecrets;
  readonly consumers: Pick<Consumers, 'grant' | 'refreshFor'>;
  readonly documents: Pick<AttestedDocuments, 'verify'>;
  readonly gates: Pick<FeatureGates, 'closed'>;
  readonly contact: Pick<ClusterContact, 'last'>;
  readonly limits: CallerLimits;
  readonly audit: SecretAudit;
  readonly metrics: SecretsMetrics;
  readonly clock: Clock;
  readonly pem: Pick<PemValues, 'of'>;
}

/** Key Vault's content type of a secret in PEM. */
const pemContentType = 'application/x-pem-file';

/** A request with its verified caller. */
export interface AuthenticatedRequest {
  readonly request: SecretRequest;
  readonly caller: Caller;
  readonly address: string;
  /** Whether the caller wants the value alone (`Accept: text/plain`). */
  readonly plain: boolean;
  /** The signature of an attested document, Base64. */
  readonly document: string | undefined;
  /** Aborts when the caller hangs up. */
  readonly signal: AbortSignal;
}

/** The answer to a request: 200 with a value, or 304. */
export interface SecretAnswer {
  readonly status: 200 | 304;
  readonly tag: string;
  /** JSON, or the value alone; '' with 304. */
  readonly body: string;
}

interface FoundValue {
  readonly held: HeldVersion;
  readonly tag: string;
  /** Milliseconds since it was last known to be the newest version. */
  readonly age: number;
  readonly subscriptions: readonly string[];
}

/** Answers requests for secrets from memory. */
export class SecretService {
  readonly #deps: SecretServiceDeps;

  constructor(deps: SecretServiceDeps) {
    this.#deps = deps;
  }

  /** The ManagedSecret that a request names, for the audit. */
  objectOf({ namespace, name }: SecretRequest): EndpointSecret | undefined {
    return this.#deps.objects.get({ namespace, name });
  }

  /** The value, or 304 for a caller that has it. Waits as the request says. Throws an HttpError. */
  async answer(asked: AuthenticatedRequest): Promise<SecretAnswer> {
    const { limits } = this.#deps;
    const { request, caller } = asked;
    limits.caller(caller.objectId);
    const { object, grant } = this.#authorized(request, caller);
    limits.namespace(request.namespace);
    let vmId: string | undefined;
    if (grant.machine) vmId = await this.#proved(asked, grant.machine);
    const first = this.#value(object, request);
    if (first.tag !== request.knownTag) return await this.#served(asked, object, first, grant, vmId);
    if (request.waitSeconds === 0) return { status: 304, tag: first.tag, body: '' };
    return await this.#wait(asked, object, first.tag, vmId);
  }

  /** The id of the machine that the document of a request proves. */
  async #proved({ request, caller, document }: AuthenticatedRequest, machine: Principals): Promise<string> {
    const { limits, documents } = this.#deps;
    limits.documents(request.namespace);
    try {
      return await documents.verify(caller.objectId, document, machine);
    } catch (error) {
      if (document !== undefined) limits.refusedDocument(request.namespace);
      throw error;
    }
  }

  /** The same answer for a secret that does not exist: the answer never reveals names of other tenants' secrets. */
  #authorized(request: SecretRequest, { objectId }: Caller): { object: EndpointSecret; grant: Grant } {
    const object = this.objectOf(request);
    const isOpen = (subscription: string) => this.#deps.gates.closed(subscription) === undefined;
    const grant = object && this.#deps.consumers.grant(object, objectId, isOpen);
    if (object && grant) return { object, grant };
    if (object) this.#deps.consumers.refreshFor(object);
    throw new HttpError(
      'not_a_consumer',
      `The object id ${objectId} is no consumer of a ManagedSecret ${request.namespace}/${request.name}: name it in spec.consumers. An identity that pods have is no machine's`,
      { retryAfter: 30 },
    );
  }

  async #wait(asked: AuthenticatedRequest, object: EndpointSecret, tag: string, vmId?: string): Promise<SecretAnswer> {
    const { limits, held, clock, metrics } = this.#deps;
    const { request, caller, signal } = asked;
    const ended = new AbortController();
    const end = AbortSignal.any([signal, ended.signal]);
    const release = limits.wait(request.namespace, caller.objectId, () => ended.abort());
    metrics.waiting(1);
    try {
      const timer = clock.sleep(request.waitSeconds * 1000, end).catch(() => undefined);
      await Promise.race([held.changed(object, end), timer]);
    } finally {
      ended.abort();
      release();
      metrics.waiting(-1);
    }
    // The right may have ended while the request waited.
    const now = this.#authorized(request, caller);
    const value = this.#value(now.object, request);
    if (value.tag === tag) return { status: 304, tag, body: '' };
    return await this.#served(asked, now.object, value, now.grant, vmId);
  }

  #value(object: EndpointSecret, { version, format }: SecretRequest): FoundValue {
    const { reading, problem } = this.#deps.held.get(object);
    if (!reading) {
      throw new HttpError('secret_unread', `The ManagedSecret ${keyOf(object)} has no value here: ${problem}`, {
        retryAfter: 30,
      });
    }
    const contact = this.#deps.contact.last();
    const age = Math.max(0, this.#deps.clock.now() - Math.min(reading.syncedAt, contact.at));
    if (age > maxStalenessOf(object)) {
      const why = problem ?? contact.problem ?? 'the region lacks a newer version';
      throw new HttpError(
        'secret_stale',
        `The value was last known to be the newest version ${roughDuration(age)} ago, longer than maxStaleness: ${why}`,
        { retryAfter: 60 },
      );
    }
    const held = version === 'current' ? reading.current : reading.previous;
    if (!held) throw new HttpError('version_absent', 'There is no version before that is still enabled');
    return { held, tag: tagOf(held, format), age, subscriptions: reading.subscriptions };
  }

  /** A closed gate stops new use: a caller that has the value already gets 304, and no caller gets the value. */
  #checkGates(subscriptions: readonly string[], grant: Grant): void {
    const all = grant.subscription === undefined ? subscriptions : [...subscriptions, grant.subscription];
    for (const subscription of all) {
      const closed = this.#deps.gates.closed(subscription);
      if (closed === undefined) continue;
      const message = `Managed secrets are not approved: ${closed}; callers keep the values that they have`;
      throw new HttpError('feature_not_approved', message, { retryAfter: 60 });
    }
  }

  async #served(
    { request, caller, address, plain }: AuthenticatedRequest,
    object: EndpointSecret,
    { held, tag, age, subscriptions }: FoundValue,
    grant: Grant,
    vmId: string | undefined,
  ): Promise<SecretAnswer> {
    this.#checkGates(subscriptions, grant);
    const { namespace, name, format } = request;
    const isPem = format === 'pem';
    const value = isPem ? await this.#deps.pem.of(object, held) : held.value;
    this.#deps.audit.served({ address, caller, namespace, name, object }, held.number, grant.by, vmId);
    if (plain) return { status: 200, tag, body: value };
    const body = JSON.stringify({
      name,
      namespace,
      version: held.number,
      value,
      contentType: isPem ? pemContentType : (held.contentType ?? null),
      created: new Date(held.created).toISOString(),
      expires: held.expires === undefined ? null : new Date(held.expires).toISOString(),
      staleness: Math.floor(age / 1000),
    });
    return { status: 200, tag, body };
  }
}

function tagOf({ number, hash }: HeldVersion, format: SecretRequest['format']): string {
  return `"${number}-${hash}${format === 'pem' ? '-pem' : ''}"`;
}
