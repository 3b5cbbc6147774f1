import type { Clock } from '../base/clock.ts';
import { messageOf } from '../base/errors.ts';
import type { LineDestination } from '../base/observability/log.ts';
import type { ObjectEvent } from '../kube/events/event-object.ts';
import type { EventRecorder } from '../kube/events/recorder.ts';
import { redactId, type TokenRequest } from './http/token-request.ts';
import type { Pod } from './objects.ts';
import type { IdentityUse } from './tokens/pod-identities.ts';
import { accountOf } from './tokens/service-account-tokens.ts';
import type { Rotation } from './tokens/token-service.ts';

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

export interface AuditOptions {
  /** Where the lines go, whatever the level of the log. A write has ended when `write` returns. */
  readonly lines: LineDestination;
  readonly events: EventRecorder;
  readonly clock: Clock;
  readonly node: string;
}

/** What is said of each token that one pod gets of one identity for one resource. */
interface Prepared {
  /** Of the token it was prepared for. */
  readonly expiresOn: number;
  readonly fields: string;
  readonly event: ObjectEvent;
}

/** Resources whose records are kept prepared for one identity in use. */
const maxPrepared = 20;

/**
 * Who got what. Lines are gathered and written by `commit`, which whoever sends an answer calls before: requests of one
 * moment then share a write. Never given a token.
 */
export class Audit {
  readonly #lines: LineDestination;
  readonly #events: EventRecorder;
  readonly #clock: Clock;
  readonly #node: string;
  readonly #prepared = new WeakMap<IdentityUse, Map<string, Prepared>>();
  #pending = '';
  #time = { at: Number.NaN, text: '' };

  constructor({ lines, events, clock, node }: AuditOptions) {
    this.#lines = lines;
    this.#events = events;
    this.#clock = clock;
    this.#node = node;
  }

  /** Writes what was recorded since the last time. */
  commit(): void {
    if (this.#pending === '') return;
    const text = this.#pending;
    this.#pending = '';
    this.#lines.write(text);
  }

  issued(pod: Pod, use: IdentityUse, request: TokenRequest, expiresOn: number): void {
    let prepared = this.#prepared.get(use)?.get(request.resource);
    if (prepared?.expiresOn !== expiresOn) prepared = this.#prepare(pod, use, request, expiresOn);
    this.#line(prepared.fields);
    this.#events.record(prepared.event);
  }

  /** `detail` goes to the log, `body` is what the caller is told. */
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
      note: `${this.#who(pod)} was refused a token for ${short(request.resource)} (${reason}): ${detail ?? body}`,
    });
  }

  /** A token of the machine itself, for a pod that is excepted. */
  passed(pod: Pod, request: TokenRequest, expiresOn: number): void {
    const fields = this.#fields(pod, request, undefined);
    const until = new Date(expiresOn).toISOString();
    this.#line(textOf({ ...fields, outcome: 'issued', excepted: true, expiresOn: until }, 'token issued'));
    this.#events.record({
      regarding: pod,
      reason: 'TokenIssued',
      action: 'IssueToken',
      note: `${this.#who(pod)}, which is excepted, got a token of the machine for ${short(request.resource)}`,
    });
  }

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
        ? 'The new credential was accepted and is in use'
        : `The new credential was refused, the previous one serves: ${why}`,
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
        note: `${this.#who(pod)} got a token of ${nameOf(use.identity)} for ${short(request.resource)}`,
      },
    };
    const all = this.#prepared.get(use) ?? new Map<string, Prepared>();
    if (all.size >= maxPrepared) all.clear();
    this.#prepared.set(use, all.set(request.resource, prepared));
    return prepared;
  }

  #line(fields: string): void {
    const now = this.#clock.now();
    if (this.#time.at !== now) this.#time = { at: now, text: new Date(now).toISOString() };
    this.#pending += `{"level":"info","time":"${this.#time.text}","name":"azimuth-nmi","component":"audit",${fields}`;
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

  #who(pod: Pod): string {
    return `Pod ${nameOf(pod)} (service account ${accountOf(pod).name}, node ${this.#node})`;
  }
}

/** The members of a line behind its time, the same as the log's. */
function textOf(fields: object, msg: string): string {
  return `${JSON.stringify({ ...fields, msg }).slice(1)}\n`;
}

function nameOf({ metadata }: { metadata: { namespace?: string; name: string } }): string {
  return `${metadata.namespace}/${metadata.name}`;
}

/** Resources are the caller's words: kept short and on one line. */
function short(resource: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
  return resource.slice(0, 200).replaceAll(/[\x00-\x1f\x7f]/g, ' ');
}
