import type { Cause, Unstructured } from './types.ts';

/** A resource, for errors. `group` is '' for the core group. */
export interface Named {
  readonly group: string;
  readonly plural: string;
  readonly kind: string;
}

/**
 * A refusal that travels as a `Status` object (meta.k8s.io). The functions below give the reasons, codes, details and
 * sentences that a kube-apiserver answers, because clients take decisions on them.
 */
export class StatusError extends Error {
  readonly status: Unstructured;
  readonly code: number;

  constructor(code: number, reason: string | undefined, message: string, rest: Unstructured = {}) {
    super(message);
    this.name = 'StatusError';
    this.code = code;
    const { metadata = {}, ...others } = rest;
    this.status = { kind: 'Status', apiVersion: 'v1', metadata, status: 'Failure', message, reason, ...others, code };
  }
}

const qualified = (word: string, group: string) => (group === '' ? word : `${word}.${group}`);
const details = (resource: Named, kind: string, name?: string) => ({
  name: name || undefined,
  group: resource.group || undefined,
  kind,
});

/** 404 for an object. */
export const notFound = (resource: Named, name: string) =>
  new StatusError(404, 'NotFound', `${qualified(resource.plural, resource.group)} "${name}" not found`, {
    details: details(resource, resource.plural, name),
  });

/** 404 for a path that serves no resource. */
export const noSuchResource = () =>
  new StatusError(404, 'NotFound', 'the server could not find the requested resource', { details: {} });

/** 409 for a create of an existing name. */
export const alreadyExists = (resource: Named, name: string) =>
  new StatusError(409, 'AlreadyExists', `${qualified(resource.plural, resource.group)} "${name}" already exists`, {
    details: details(resource, resource.plural, name),
  });

/** 409; `word` names the resource in the message. */
export const conflict = (resource: Named, name: string, why: string, word = resource.plural) =>
  new StatusError(
    409,
    'Conflict',
    `Operation cannot be fulfilled on ${qualified(word, resource.group)} "${name}": ${why}`,
    { details: details(resource, word, name) },
  );

/** 409 for a write at an old resourceVersion. */
export const modified = (resource: Named, name: string) =>
  conflict(
    resource,
    name,
    'the object has been modified; please apply your changes to the latest version and try again',
  );

/** 400. */
export const badRequest = (message: string) => new StatusError(400, 'BadRequest', message);

/** 403 for an object, or for the collection where `name` is ''. */
export const forbidden = (resource: Named, name: string, why: string, causes?: readonly Cause[]) => {
  const what = qualified(resource.plural, resource.group);
  return new StatusError(403, 'Forbidden', `${what}${name ? ` "${name}"` : ''} is forbidden: ${why}`, {
    details: { ...details(resource, resource.plural, name), causes },
  });
};

/** 401. */
export const unauthorized = () => new StatusError(401, 'Unauthorized', 'Unauthorized');

/** 405. */
export const methodNotAllowed = () =>
  new StatusError(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource', {
    details: {},
  });

/** 415, with the media types that the server decodes. */
export const unsupportedMediaType = (accepted: readonly string[]) =>
  new StatusError(
    415,
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`,
  );

/** 406. */
export const notAcceptable = () =>
  new StatusError(
    406,
    'NotAcceptable',
    'only the following media types are accepted: application/json, application/yaml',
  );

/** 413; `limit` in bytes. */
export const tooLarge = (limit: number) =>
  new StatusError(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${limit}`);

/** 410 for a revision that the history no longer has; `continueToken` starts an inconsistent list. */
export const expired = (message: string, continueToken?: string) =>
  new StatusError(410, 'Expired', message, { metadata: continueToken ? { continue: continueToken } : {} });

/** 504 for a resourceVersion that the server has not reached. */
export const futureVersion = (asked: number, current: number) =>
  new StatusError(504, 'Timeout', `Timeout: Too large resource version: ${asked}, current: ${current}`, {
    details: {
      causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
      retryAfterSeconds: 1,
    },
  });

/** 500. */
export const internal = (message: string) => new StatusError(500, undefined, message);

/** 422 with one cause per offending field. `word` is the noun for the object in the sentence. @default the kind */
export function invalid(resource: Named, name: string, causes: readonly Cause[], word = resource.kind): StatusError {
  const lines = causes.map((cause) => (cause.field === '' ? cause.message : `${cause.field}: ${cause.message}`));
  const text = lines.length === 1 ? lines[0] : `[${lines.join(', ')}]`;
  return new StatusError(422, 'Invalid', `${qualified(word, resource.group)} "${name}" is invalid: ${text}`, {
    details: { ...details(resource, word, name), causes },
  });
}

const options = (kind: string): Named => ({ group: 'meta.k8s.io', plural: kind, kind });

/** 422 for a query parameter or member of PatchOptions, DeleteOptions, ... */
export const invalidOptions = (kind: string, cause: Cause) => invalid(options(kind), '', [cause]);

/** Cause: a required field is missing. */
export const required = (field: string, why = ''): Cause => ({
  reason: 'FieldValueRequired',
  message: why ? `Required value: ${why}` : 'Required value',
  field,
});

/** Cause: a value that the field does not take. */
export const invalidValue = (field: string, value: unknown, why: string): Cause => ({
  reason: 'FieldValueInvalid',
  message: `Invalid value: ${JSON.stringify(value) ?? 'null'}: ${why}`,
  field,
});

/** Cause: a field that must not be set or changed. */
export const forbiddenField = (field: string, why: string): Cause => ({
  reason: 'FieldValueForbidden',
  message: `Forbidden: ${why}`,
  field,
});

/** Cause: a value outside of an enumeration. */
export const unsupportedValue = (field: string, value: unknown, supported: readonly string[]): Cause => ({
  reason: 'FieldValueNotSupported',
  message: `Unsupported value: ${JSON.stringify(value)}: supported values: ${supported.map((one) => `"${one}"`).join(', ')}`,
  field,
});
