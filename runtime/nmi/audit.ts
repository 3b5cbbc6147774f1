import { LRUCache } from 'lru-cache';
import type { Clock } from '../base/clock.ts';
import { messageOf } from '../base/errors.ts';
import type { LineDestination } from '../base/observability/log.ts';
import type { ObjectEvent } from '../kube/events/event-object.ts';
import type { EventRecorder } from '../kube/events/recorder.ts';
import type { Pod } from './objects.ts';
import { redactId, type TokenRequest } from './protocol/token-request.ts';
import type { Rotation } from './tokens/credential-rotation.ts';
import type { IdentityUse } from './tokens/pod-identities.ts';
import { accountOf } from './tokens/service-account-tokens.ts';

/** Reasons and actions of the events; docs/reference/nmi.md lists them. */
export const auditEvents = {
  TokenIssued: 'Normal: the daemon issued a token of the identity to a pod. On the binding.',
  TokenRefused:
    'Warning: the daemon refused a token to a pod; the note has the reason. On the binding, or on the pod where no binding matches.',
  CredentialRotated:
    'Normal: Microsoft Entra ID accepted a new secret or certificate, and the daemon uses it from now on. On the identity.',
  CredentialRefused:
    'Warning: Microsoft Entra ID refused a new secret or certificate; the daemon uses the previous one until Entra accepts the new one. On the identity.',
} as const;

/** Dependencies of the audit. `node`: name of the node, for every line and event. */
export interface AuditDeps {
  /** Destination of the lines at every level of the log. `write` returns after it has written. */
  readonly lines: LineDestination;
  readonly events: EventRecorder;
  readonly clock: Clock;
  readonly node: string;
}

/** The audit line and event of the tokens that one pod gets of one identity for one resource. */
interface Prepared {
  /** Milliseconds since the epoch; another end means another token, and a new record. */
  readonly expiresOn: number;
  readonly fields: string;
  readonly event: ObjectEvent;
}

/** Most prepared records for one use of an identity. */
const maxPrepared = 20;

/**
 * Records each token with its pod and its identity. `commit` writes the gathered lines; callers call it before they
 * send an answer, so that concurrent requests share one write. No method takes a token.
 */
export class Audit {
  readonly #lines: LineDestination;
  readonly #events: EventRecorder;
  readonly #clock: Clock;
  readonly #node: string;
  readonly #prepared = new WeakMap<IdentityUse, LRUCache<string, Prepared>>();
  #pending = '';
  #time = { at: Number.NaN, text: '' };

  constructor({ lines, events, clock, node }: AuditDeps) {
    this.#lines = lines;
    this.#events = events;
    this.#clock = clock;
    this.#node = node;
  }

  /** Writes the lines gathered since the last call. Throws the errors of the destination. */
  commit(): void {
    if (this.#pending === '') return;
    const text = this.#pending;
    this.#pending = '';
    this.#lines.write(text);
  }

  /** Records an issued token. `expiresOn`: milliseconds since the epoch, as the caller sees it. */
  issued(pod: Pod, use: IdentityUse, request: TokenRequest, expiresOn: number): void {
    let prepared = this.#prepared.get(use)?.get(request.resource);
    if (prepared?.expiresOn !== expiresOn) prepared = this.#prepare(pod, use, request, expiresOn);
    this.#line(prepared.fields);
    this.#events.record(prepared.event);
  }

  /** Records a refusal. `detail` goes to the log and the event; `body` is the text that the caller receives. */
  refused(
    pod: Pod,
    use: IdentityUse | undefined,
    request: TokenRequest,
    reason: string,
    status: number,
    body: string,
    detail?: string,
  ): void {
    const fields = this.#fields(pod, request, use);
    this.#line(textOf({ ...fields, outcome: 'refused', reason, status, detail: detail ?? body }, 'token refused'));
    this.#events.record({
      regarding: use?.binding ?? pod,
      ...(use && { related: pod, apart: true }),
      type: 'Warning',
      reason: 'TokenRefused',
      action: 'IssueToken',
      note: `${this.#describe(pod)} was refused a token for ${short(request.resource)} (${reason}): ${detail ?? body}`,
    });
  }

  /** Records a token of the machine itself, issued to an excepted pod. */
  issuedToExcepted(pod: Pod, request: TokenRequest, expiresOn: number): void {
    const fields = this.#fields(pod, request, undefined);
    const until = new Date(expiresOn).toISOString();
    this.#line(textOf({ ...fields, outcome: 'issued', excepted: true, expiresOn: until }, 'token issued'));
    this.#events.record({
      regarding: pod,
      reason: 'TokenIssued',
      action: 'IssueToken',
      note: `${this.#describe(pod)}, which is excepted, received a token of the machine for ${short(request.resource)}`,
    });
  }

  /** Records that Entra accepted or refused a changed credential. */
  rotation({ use, outcome, error }: Rotation): void {
    const accepted = outcome === 'accepted';
    const why = error === undefined ? undefined : messageOf(error);
    this.#line(textOf({ identity: nameOf(use.identity), outcome, ...(why && { error: why }) }, 'credential rotated'));
    this.commit();
    this.#events.record({
      regarding: use.identity,
      type: accepted ? 'Normal' : 'Warning',
      reason: accepted ? 'CredentialRotated' : 'CredentialRefused',
      action: 'RotateCredential',
      note: accepted
        ? 'Entra accepted the new credential, which is in use'
        : `Entra refused the new credential, and the previous one stays in use: ${why}`,
    });
  }

  #prepare(pod: Pod, use: IdentityUse, request: TokenRequest, expiresOn: number): Prepared {
    const outcome = { outcome: 'issued', expiresOn: new Date(expiresOn).toISOString() };
    const prepared: Prepared = {
      expiresOn,
      fields: textOf({ ...this.#fields(pod, request, use), ...outcome }, 'token issued'),
      event: {
        regarding: use.binding,
        related: pod,
        apart: true,
        reason: 'TokenIssued',
        action: 'IssueToken',
        note: `${this.#describe(pod)} received a token of ${nameOf(use.identity)} for ${short(request.resource)}`,
      },
    };
    const all = this.#prepared.get(use) ?? new LRUCache<string, Prepared>({ max: maxPrepared });
    this.#prepared.set(use, all.set(request.resource, prepared));
    return prepared;
  }

  #line(fields: string): void {
    const now = this.#clock.now();
    if (this.#time.at !== now) this.#time = { at: now, text: new Date(now).toISOString() };
    this.#pending += `{"level":"info","time":"${this.#time.text}","program":"azimuth-nmi","component":"audit",${fields}`;
  }

  #fields(pod: Pod, request: TokenRequest, use: IdentityUse | undefined) {
    const { namespace, name, uid } = pod.metadata;
    return {
      pod: `${namespace}/${name}`,
      podUid: uid,
      serviceAccount: accountOf(pod).name,
      node: this.#node,
      resource: short(request.resource),
      ...(request.clientId && { askedClientId: redactId(request.clientId.slice(0, 128)) }),
      ...(use && {
        binding: nameOf(use.binding),
        identity: nameOf(use.identity),
        identityType: use.spec.type ?? 0,
        clientId: redactId(use.spec.clientID ?? ''),
      }),
    };
  }

  #describe(pod: Pod): string {
    return `Pod ${nameOf(pod)} (service account ${accountOf(pod).name}, node ${this.#node})`;
  }
}

/** The rest of a log line after its time, with the member order of the log. */
function textOf(fields: object, msg: string): string {
  return `${JSON.stringify({ ...fields, msg }).slice(1)}\n`;
}

function nameOf({ metadata }: { metadata: { namespace?: string | undefined; name: string } }): string {
  return `${metadata.namespace}/${metadata.name}`;
}

/** The caller chooses the resource: the audit cuts it and puts it on one line. */
function short(resource: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression removes them
  return resource.slice(0, 200).replaceAll(/[\x00-\x1f\x7f]/g, ' ');
}
