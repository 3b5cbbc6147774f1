import { messageOf } from '../base/errors.ts';
import type { Logger } from '../base/log.ts';
import type { EventRecorder } from '../kube/events.ts';
import type { IdentityUse } from './identities.ts';
import type { Pod } from './objects.ts';
import { accountOf } from './service-account-tokens.ts';
import { redactId, type TokenRequest } from './token-request.ts';
import type { Rotation } from './token-service.ts';

/** Reasons and actions of the events; docs/reference/nmi.md lists them. */
export const auditEvents = {
  TokenIssued: 'Normal: a pod was given a token of the identity. On the binding.',
  TokenRefused:
    'Warning: a pod asked and was refused; the note says why. On the binding, or on the pod where none fits.',
  CredentialRotated: 'Normal: AAD accepted a new secret or certificate, which is used from now on. On the identity.',
  CredentialRefused:
    'Warning: AAD refused a new secret or certificate; the previous one serves until the new one is accepted. On the identity.',
} as const;

export interface AuditOptions {
  readonly log: Logger;
  readonly events: EventRecorder;
  readonly node: string;
}

/** Who got what, written before the answer leaves. Never given a token. */
export class Audit {
  readonly #log: Logger;
  readonly #events: EventRecorder;
  readonly #node: string;

  constructor({ log, events, node }: AuditOptions) {
    this.#log = log.child({ component: 'audit' });
    this.#events = events;
    this.#node = node;
  }

  issued(pod: Pod, use: IdentityUse, request: TokenRequest, expiresOn: number): void {
    const { resource } = request;
    const fields = this.#fields(pod, request, use);
    this.#log.info({ ...fields, outcome: 'issued', expiresOn: new Date(expiresOn).toISOString() }, 'token issued');
    this.#events.record({
      regarding: use.binding,
      related: pod,
      reason: 'TokenIssued',
      action: 'IssueToken',
      note: `${this.#who(pod)} got a token of ${nameOf(use.identity)} for ${short(resource)}`,
    });
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
    this.#log.info({ ...fields, outcome: 'refused', reason, status, detail: detail ?? body }, 'token refused');
    this.#events.record({
      regarding: use?.binding ?? pod,
      ...(use && { related: pod }),
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
    this.#log.info({ ...fields, outcome: 'issued', excepted: true, expiresOn: until }, 'token issued');
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
    this.#log.info({ identity: nameOf(use.identity), outcome, ...(why && { error: why }) }, 'credential rotated');
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

function nameOf({ metadata }: { metadata: { namespace?: string; name: string } }): string {
  return `${metadata.namespace}/${metadata.name}`;
}

/** Resources are the caller's words: kept short and on one line. */
function short(resource: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
  return resource.slice(0, 200).replaceAll(/[\x00-\x1f\x7f]/g, ' ');
}
