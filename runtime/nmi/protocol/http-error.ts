/**
 * Every answer of the daemon that is not a token, in the form of the metadata endpoint. The texts are upstream's, because
 * scripts match them.
 */

/** Members of an error besides status and text. */
export interface HttpErrorOptions {
  readonly retryAfterSeconds?: number;
  /** UpperCamelCase word for audit and metrics. */
  readonly reason?: string;
  /** For the log only; may name objects that are not the caller's. */
  readonly detail?: string;
}

/** The word in `error` by status, from the metadata endpoint's documented ones (imds.json, IdentityErrorResponse). */
const words: Readonly<Record<number, string>> = {
  400: 'invalid_request',
  401: 'unauthorized_client',
  403: 'access_denied',
  404: 'not_found',
  429: 'too_many_requests',
  503: 'service_unavailable',
};

/** An error that ends a request with a status and a text. */
export class HttpError extends Error {
  readonly status: number;
  /** The description in the answer. */
  readonly text: string;
  readonly retryAfterSeconds: number | undefined;
  readonly reason: string;
  readonly detail: string | undefined;

  constructor(status: number, text: string, options: HttpErrorOptions = {}) {
    super(text);
    this.status = status;
    this.text = text;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.reason = options.reason ?? 'Refused';
    this.detail = options.detail;
  }

  /** The answer as JSON. SDKs parse it, and show a developer the description. */
  get body(): string {
    return JSON.stringify({ error: words[this.status] ?? 'server_error', error_description: this.text });
  }
}

/** The reason of refusals because the caller asks for too much at a time. */
export const tooManyRequests = 'TooManyRequests';

const invalidRequest = (text: string) => new HttpError(400, text, { reason: 'InvalidRequest' });

/** The error answers of the daemon that do not depend on Azure. */
export const httpErrors = {
  metadataHeader: () => invalidRequest('Required metadata header not specified'),
  forwarded: () => invalidRequest('Unsupported header X-Forwarded-For is present'),
  invalidPath: () => new HttpError(400, 'Invalid request', { reason: 'InvalidPath' }),
  unknownIdentityPath: () => new HttpError(404, 'this path does not exist', { reason: 'InvalidPath' }),
  blocked: () => new HttpError(403, 'Request blocked by AAD Pod Identity NMI', { reason: 'Blocked' }),
  documentOfMachine: () =>
    new HttpError(
      403,
      'attested documents prove the machine, so they go to pods that have its identities only; ' +
        '--metadata-paths may list them for every pod',
      { reason: 'NotAllowed' },
    ),
  noAddress: () => new HttpError(500, 'request remote address is empty', { reason: 'NoAddress' }),
  noResource: () => invalidRequest('parameter resource cannot be empty'),
  longParameter: (name: string) => invalidRequest(`parameter ${name} is too long`),
  podUnknown: () => new HttpError(500, 'pod list is empty', { reason: 'PodUnknown', retryAfterSeconds: 1 }),
  podAmbiguous: (ip: string, count: number) =>
    new HttpError(500, `failed to match pod IP ${ip} with ${count} pods`, { reason: 'PodAmbiguous' }),
  addressReused: (ip: string) =>
    new HttpError(
      503,
      `the pod with the address ${ip} was reached by another link; the daemon waits for the object of the pod that has it now`,
      {
        reason: 'AddressReused',
        retryAfterSeconds: 1,
      },
    ),
  podNotHere: (namespace: string, name: string) =>
    new HttpError(404, `pod ${namespace}/${name} does not run on this node`, { reason: 'PodUnknown' }),
  apiServerUnreachable: (missing: string) =>
    new HttpError(503, `${missing} is not known and the API server is unreachable at the moment`, {
      reason: 'ApiServerUnreachable',
      retryAfterSeconds: 5,
    }),
  starting: () =>
    new HttpError(503, 'the node daemon has not read the cluster yet', { reason: 'Starting', retryAfterSeconds: 1 }),
  busy: () => new HttpError(429, 'too many requests at a time', { reason: tooManyRequests, retryAfterSeconds: 1 }),
  hostHeaders: () => invalidRequest("missing 'podname' and 'podns' from request header"),
  hostRemote: () => new HttpError(500, 'request remote address is not from a host', { reason: 'NotTheHost' }),
  hostOnly: () => new HttpError(404, 'the socket of root serves /host/token/ only', { reason: 'InvalidPath' }),
  hostTcpOff: () =>
    new HttpError(
      404,
      'host tokens are served by the Unix socket of the node daemon; --host-token-tcp serves TCP too',
      {
        reason: 'HostTcpOff',
      },
    ),
  hostMac: () =>
    new HttpError(401, 'the Authorization header has no valid HMAC for this request and the nonce of the daemon', {
      reason: 'NoHostMac',
    }),
};
