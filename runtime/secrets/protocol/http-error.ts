/** Why a request gets no secret: the word in metrics and the audit, with the status of the answer. */
export const refusals = {
  token_missing: 401,
  token_malformed: 401,
  token_algorithm: 401,
  token_key_unknown: 401,
  token_signature: 401,
  token_expired: 401,
  token_not_yet_valid: 401,
  token_issuer: 401,
  token_audience: 401,
  token_tenant: 401,
  token_claims: 401,
  token_user: 403,
  keys_unavailable: 503,
  not_a_consumer: 403,
  feature_not_approved: 403,
  attestation_missing: 403,
  attestation_nonce: 403,
  attestation_invalid: 403,
  attestation_machine: 403,
  secret_unread: 503,
  secret_stale: 503,
  version_absent: 404,
  request_invalid: 400,
  path_unknown: 404,
  method_unknown: 405,
  caller_limit: 429,
  namespace_limit: 429,
  wait_limit: 429,
} as const;
/** One of the words of `refusals`. */
export type RefusalReason = keyof typeof refusals;

/** A request that gets no secret. The message goes to the caller: no token, no value, nothing of other namespaces. */
export class HttpError extends Error {
  readonly reason: RefusalReason;
  readonly status: number;
  /** Seconds after which the caller may try again. */
  readonly retryAfter: number | undefined;

  constructor(reason: RefusalReason, message: string, options: { readonly retryAfter?: number } = {}) {
    super(message);
    this.reason = reason;
    this.status = refusals[reason];
    this.retryAfter = options.retryAfter;
  }
}
