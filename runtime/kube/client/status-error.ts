import { AzimuthError } from '../../base/errors.ts';
import { boundedRetryMs, parseRetryAfter } from '../../base/http/retry-after.ts';

/** One field at fault, as `details.causes` of a Status lists them. */
export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

/** The subject of a request, for messages. */
export interface RequestSubject {
  /** get, list, watch, create, replace, patch, apply, delete. */
  readonly verb: string;
  /** `plural.group[/subresource]` or a path. */
  readonly resource: string;
  /** `namespace/name`, or the namespace of a collection. */
  readonly object?: string;
}

/** The members of `v1 Status` that matter here. */
export interface StatusBody {
  readonly code?: number;
  readonly reason?: string;
  readonly message?: string;
  readonly details?: { readonly causes?: readonly StatusCause[]; readonly retryAfterSeconds?: number };
}

/** The request itself is at fault; the same request can never succeed. Everything else depends on a state that can change. */
const finalStatuses = new Set([400, 405, 406, 413, 415, 422]);

/**
 * The API server's refusal. `code` is AZ_KUBE_STATUS, or AZ_WATCH_EXPIRED for 410. The message names verb, resource,
 * object, reason and every field at fault.
 */
export class KubeStatusError extends AzimuthError {
  readonly subject: RequestSubject;
  /** HTTP status. */
  readonly status: number;
  /** The machine-readable reason, such as `Conflict` or `AlreadyExists`; empty when a proxy answered. */
  readonly reason: string;
  readonly causes: readonly StatusCause[];

  constructor(subject: RequestSubject, status: number, body: StatusBody, retryAfter?: string | string[]) {
    const causes = body.details?.causes ?? [];
    const seconds = body.details?.retryAfterSeconds;
    const retryAfterMs =
      parseRetryAfter(retryAfter) ?? (typeof seconds === 'number' ? boundedRetryMs(seconds * 1000) : undefined);
    super(status === 410 ? 'AZ_WATCH_EXPIRED' : 'AZ_KUBE_STATUS', describe(subject, status, body, causes), {
      retryable: !finalStatuses.has(status),
      retryAfterMs,
    });
    this.subject = subject;
    this.status = status;
    this.reason = body.reason ?? '';
    this.causes = causes;
  }
}

function describe(subject: RequestSubject, status: number, body: StatusBody, causes: readonly StatusCause[]): string {
  const message = body.message?.trim() ?? '';
  const extra = causes
    .filter(({ field, message: text }) => !(message.includes(field ?? '') && message.includes(text ?? '')))
    .map(({ field, message: text }) => [field, text].filter(Boolean).join(': '));
  const answer = [status, body.reason].filter(Boolean).join(' ');
  return `${subjectText(subject)}: ${answer}${message && `: ${message}`}${extra.length > 0 ? ` (${extra.join('; ')})` : ''}`;
}

/** `patch pods default/web`. */
export function subjectText({ verb, resource, object }: RequestSubject): string {
  return [verb, resource, object].filter(Boolean).join(' ');
}

const hasStatus = (error: unknown, status: number): error is KubeStatusError =>
  error instanceof KubeStatusError && error.status === status;

/** Not found: the object, its namespace, or the resource type. */
export const isNotFound = (error: unknown): error is KubeStatusError => hasStatus(error, 404);
/** The object changed meanwhile (stale resourceVersion, failed precondition), or another field manager owns a field. */
export const isConflict = (error: unknown): error is KubeStatusError =>
  hasStatus(error, 409) && error.reason !== 'AlreadyExists';
/** An object of that name exists already. */
export const isAlreadyExists = (error: unknown): error is KubeStatusError =>
  hasStatus(error, 409) && error.reason === 'AlreadyExists';
/** The resourceVersion or continue token is too old. */
export const isGone = (error: unknown): error is KubeStatusError => hasStatus(error, 410);
/** The object, or the request, is larger than the API server or its etcd takes. */
export const isTooLarge = (error: unknown): error is KubeStatusError =>
  error instanceof KubeStatusError && (error.status === 413 || error.message.includes('request is too large'));
/** RBAC or an admission policy refused the request. */
export const isForbidden = (error: unknown): error is KubeStatusError => hasStatus(error, 403);

/** Whether the API server does not know the version of the kind: it explains a 404 about an object with a reason. */
export function isUnserved(error: KubeStatusError): boolean {
  return error.status === 404 && error.reason === '';
}
