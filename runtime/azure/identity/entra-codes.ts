/** What a code of Microsoft Entra ID says about the next request with the same credential. */
export interface EntraCode {
  /**
   * `transient`: the service had a problem and decided nothing. `replication`: a replica does not know an object that was
   * written moments ago, or the object does not exist; only time tells them apart.
   */
  readonly kind: 'transient' | 'replication';
  /** Milliseconds to wait where the answer has no Retry-After. @default the caller's own pauses */
  readonly retryAfterMs?: number;
}

const transient: EntraCode = { kind: 'transient' };
/** The service counts requests of the client, so more of them prolong its refusals. */
const throttled: EntraCode = { kind: 'transient', retryAfterMs: 30_000 };
const replication: EntraCode = { kind: 'replication' };

/**
 * AADSTS codes that may end by themselves, whatever the HTTP status. Every other code is permanent: somebody must change
 * the request, the credential or the tenant. Sources: Microsoft's list of AADSTS codes (learn.microsoft.com,
 * entra/identity-platform/reference-error-codes) for names and texts; for replication also the page on workload identity
 * federation, which tells to retry after a new federated credential.
 */
export const entraCodes: Readonly<Record<number, EntraCode>> = {
  // TokenIssuanceError: a problem of the sign-in service.
  50000: transient,
  // A client loop: the same request came too often.
  50196: throttled,
  // ExternalServerRetryableError
  90006: transient,
  // RequestTimeout
  90012: transient,
  // RequestBudgetExceededError
  90024: transient,
  // MsodsServiceUnavailable: the directory behind the service.
  90033: transient,
  // TenantThrottlingError
  90055: throttled,
  // GraphRetryableError
  90090: transient,
  // GraphServiceUnreachable
  90091: transient,
  // The application is not in the directory; 70001 is the former number.
  70001: replication,
  700016: replication,
  // No federated credential has the issuer, the audience or the subject.
  70021: replication,
  700211: replication,
  700212: replication,
  700213: replication,
  // The certificate is not registered on the application.
  700027: replication,
  // The client secret is none of the application's.
  7000215: replication,
  // The application has no service principal in the tenant.
  7000229: replication,
};

/** OAuth errors of a service that decided nothing (RFC 6749 4.1.2.1). */
const transientErrors = new Set(['temporarily_unavailable', 'server_error', 'service_unavailable']);

/** Whether a refusal may end by itself; undefined where it is permanent. `code` as AADSTS700213. */
export function passingRefusal(code: string | undefined, oauthError: string | undefined): EntraCode | undefined {
  const entraCode = entraCodes[Number(code?.replace(/^AADSTS/, ''))];
  return entraCode ?? (oauthError && transientErrors.has(oauthError) ? transient : undefined);
}
