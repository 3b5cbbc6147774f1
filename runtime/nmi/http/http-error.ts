/** Every answer of the daemon that is not a token. Texts are upstream's, because SDKs and scripts match them. */

/** Members of an error answer besides status and body. */
export interface HttpErrorOptions {
  readonly contentType?: 'text' | 'json';
  readonly retryAfterSeconds?: number;
  /** UpperCamelCase word for audit and metrics. */
  readonly reason?: string;
  /** For the log only; may name objects that are not the caller's. */
  readonly detail?: string;
}

/** An error that ends a request with a status and a body. */
export class HttpError extends Error {
  readonly status: number;
  readonly body: string;
  readonly contentType: 'text' | 'json';
  readonly retryAfterSeconds: number | undefined;
  readonly reason: string;
  readonly detail: string | undefined;

  constructor(status: number, body: string, options: HttpErrorOptions = {}) {
    super(body);
    this.status = status;
    this.body = body;
    this.contentType = options.contentType ?? 'text';
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.reason = options.reason ?? 'Refused';
    this.detail = options.detail;
  }
}

/** The reason of refusals because the caller asks for too much at a time. */
export const tooManyRequests = 'TooManyRequests';

const imdsError = (description: string) =>
  new HttpError(400, JSON.stringify({ error: 'invalid_request', error_description: description }), {
    contentType: 'json',
    reason: 'InvalidRequest',
  });

/** The error answers of the daemon that do not depend on Azure. */
export const httpErrors = {
  metadataHeader: () => imdsError('Required metadata header not specified'),
  forwarded: () => imdsError('Unsupported header X-Forwarded-For is present'),
  invalidPath: () => new HttpError(400, 'Invalid request', { reason: 'InvalidPath' }),
  blocked: () => new HttpError(403, 'Request blocked by AAD Pod Identity NMI', { reason: 'Blocked' }),
  noAddress: () => new HttpError(500, 'request remote address is empty', { reason: 'NoAddress' }),
  noResource: () => new HttpError(400, 'parameter resource cannot be empty', { reason: 'InvalidRequest' }),
  longParameter: (name: string) => new HttpError(400, `parameter ${name} is too long`, { reason: 'InvalidRequest' }),
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
  hostHeaders: () =>
    new HttpError(400, "missing 'podname' and 'podns' from request header", { reason: 'InvalidRequest' }),
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
