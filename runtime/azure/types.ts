/** The vocabulary of the Azure side. Times are milliseconds since the epoch, durations milliseconds. */

/** Source: Azure's public lists of endpoints. */
export interface CloudEnvironment {
  readonly name: string;
  /** With scheme, without trailing slash: https://login.microsoftonline.com */
  readonly authorityHost: string;
  /** https://management.azure.com */
  readonly resourceManagerEndpoint: string;
  /** Audience of tokens for it: https://management.azure.com (a scope is the audience plus `/.default`). */
  readonly resourceManagerAudience: string;
  /** vault.azure.net */
  readonly keyVaultDnsSuffix: string;
  /** https://vault.azure.net */
  readonly keyVaultAudience: string;
  /** Microsoft Graph without the version, where it is not that of the cloud's name: https://graph.microsoft.com */
  readonly graphEndpoint?: string;
}

/** An access token; `expiresOn` is in milliseconds since the epoch. */
export interface AccessToken {
  readonly token: string;
  readonly expiresOn: number;
}

/** The token that a request needs. */
export interface TokenParameters {
  /** Such as https://management.azure.com; no `/.default`. */
  readonly audience: string;
  /** Overrides the credential's own tenant. */
  readonly tenantId?: string;
  /** Claims that a resource asked for in a challenge (continuous access evaluation), as JSON. */
  readonly claims?: string;
  /** `client-request-id` of the request to Microsoft Entra ID, which its sign-in log shows. @default a new one */
  readonly correlationId?: string | undefined;
  readonly signal?: AbortSignal;
}

/**
 * One credential. `getToken` sends a request to Microsoft Entra ID or IMDS on every call: no layer beneath it caches.
 * A refusal throws AZ_AUTH_FAILED with the error code and trace id of Entra ID; no answer throws AZ_AUTH_UNREACHABLE.
 */
export interface Authorizer {
  /** Kind and client, for logs: `client secret of client 0000…`. Never a secret. */
  readonly description: string;
  /** The cloud whose Resource Manager gets the requests with these tokens. @default the cloud of the ArmClient */
  readonly cloud?: CloudEnvironment;
  getToken(request: TokenParameters): Promise<AccessToken>;
}

/** HTTP methods of ARM. */
export type ArmMethod = 'GET' | 'HEAD' | 'PUT' | 'PATCH' | 'POST' | 'DELETE';

/** One request to ARM. */
export interface ArmRequest {
  readonly method: ArmMethod;
  /** Resource id, optionally with an action (`…/listKeys`), or an absolute URL (poll URLs). */
  readonly path: string;
  /** Left out when `path` is an absolute URL that has its own. */
  readonly apiVersion?: string;
  readonly body?: unknown;
  /** The requester. A request that is not a GET or HEAD always gets a token of its own. */
  readonly authorizer: Authorizer;
  /** The token of the operation that a GET polls, which it may reuse while it is valid. @default the one that reads share */
  readonly token?: AccessToken;
  /** x-ms-correlation-request-id; one per reconcile. */
  readonly correlationId?: string;
  /** Azure region for the rate-limit bucket, if known; a text that names none counts as unknown. */
  readonly region?: string;
  /** Whether `ArmClient.admit` has waited for the rate limit already. @default false */
  readonly admitted?: boolean;
  /** A periodic read that no caller waits for: where the budget is short, other requests go first. @default false */
  readonly background?: boolean;
  /** Whose request it is, such as a namespace: shares rotate where the budget is short. @default one for all without */
  readonly share?: string;
  /** Secret values within `body`: cut out of the error, should ARM repeat one. */
  readonly secrets?: readonly string[];
  /** Further headers, such as If-Match. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** A request of a program that works for many namespaces: it always names its share of the rate limit. */
export type SharedArmRequest = ArmRequest & { readonly share: string };

/** The caller of a poll, as in ArmRequest. */
export type PollCaller = Pick<ArmRequest, 'authorizer' | 'token' | 'signal' | 'correlationId' | 'share'>;

/** A successful answer of ARM (2xx). */
export interface ArmResponse {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed JSON; undefined for an empty body or one that is no JSON. */
  readonly body: unknown;
  /** x-ms-request-id, for error reports. */
  readonly requestId: string | undefined;
  readonly correlationId: string;
  readonly retryAfterMs: number | undefined;
  /** The token that was used, for the polls of an operation this request started. */
  readonly token: AccessToken;
}

/** Retry speeds: facts/azure-service-operator.md 2.6 and 6. */
export type RetryClass = 'fast' | 'slow' | 'verySlow' | 'none';

/** The meaning of an ARM error, decided in one place (`classifyArmError`). */
export interface ArmErrorInfo {
  readonly status: number;
  /** The code that decided: of `details[]` if one there is known, else the top-level one; `HTTP503` where there is none. */
  readonly code: string;
  /** Top-level code and message as sent (the message with ids and seconds kept). */
  readonly topLevelCode: string | undefined;
  readonly message: string;
  readonly target: string | undefined;
  readonly details: readonly { readonly code: string; readonly message: string; readonly target?: string }[];
  readonly requestId: string | undefined;
  readonly retryAfterMs: number | undefined;
  readonly retryClass: RetryClass;
}

/** A long-running operation; plain JSON so that it fits into an annotation and survives a restart. */
export interface Operation {
  /** How its end is found out: a status document, a location, or the resource's own provisioningState. */
  readonly kind: 'status' | 'location' | 'body';
  /** Method that started it. */
  readonly method: 'PUT' | 'PATCH' | 'POST' | 'DELETE';
  /** Next URL to GET; absolute, or a resource id for `body`. */
  readonly url: string;
  readonly apiVersion?: string;
  /** Resource to GET after success (PUT, PATCH), or the Location that holds a POST's result. */
  readonly finalPath?: string;
  /** The resource the request was about: asked when the poll URL is of no more use. A POST's lacks the action. */
  readonly resourcePath?: string;
  readonly startedAt: number;
  /** Earliest time of the next poll, from Retry-After or the default of 15 s. */
  readonly nextPollAt: number;
  /** Last state word seen, for messages. */
  readonly state?: string;
  /** Polls that failed in a row without deciding anything. */
  readonly pollFailures?: number;
  /** The last failure, such as `403 AuthorizationFailed`, for messages. */
  readonly pollError?: string;
}

/** The result of one poll of an operation. */
export type PollResult =
  | { readonly done: false; readonly operation: Operation }
  /** `body` is the resource (PUT, PATCH) or the result (POST), undefined if there is none or its GET failed. */
  | { readonly done: true; readonly outcome: 'succeeded'; readonly body: unknown }
  | { readonly done: true; readonly outcome: 'failed' | 'canceled'; readonly error: ArmErrorInfo };

/** One request, or one poll, per call; waiting is the caller's business. */
export interface ArmClient {
  /**
   * Waits for the rate limit, so that the request can be sent later with `admitted`, without that wait. Throws
   * AZ_ARM_THROTTLED where the wait would be too long, and AZ_CONFIG_INVALID for a path on another host.
   */
  admit(request: ArmRequest): Promise<void>;
  /** Resolves for 2xx; other answers throw ArmError (AzimuthError AZ_ARM_REFUSED with `info: ArmErrorInfo`). */
  send(request: ArmRequest): Promise<ArmResponse>;
  /** Sees whether the answer to a write started an operation; undefined = it is done. Throws ArmError for 202 without a header. */
  operationOf(request: ArmRequest, response: ArmResponse): Operation | undefined;
  /**
   * One poll. A transient failure of the poll URL itself is `done: false` with a later `nextPollAt`. Throws only when
   * no token is to be had (AZ_AUTH_FAILED, AZ_AUTH_UNREACHABLE) or the signal aborts; the operation stays as it was.
   * The poll waits for the rate limit in the share of its caller.
   */
  poll(operation: Operation, caller: PollCaller): Promise<PollResult & { readonly token?: AccessToken }>;
  close(): Promise<void>;
}

/** An ArmClient of a program that works for many namespaces: every request names the share that waits for it. */
export interface SharedArmClient extends Pick<ArmClient, 'operationOf'> {
  /** As in ArmClient. */
  admit(request: SharedArmRequest): Promise<void>;
  /** As in ArmClient. */
  send(request: SharedArmRequest): Promise<ArmResponse>;
  /** As in ArmClient. */
  poll(
    operation: Operation,
    caller: PollCaller & { readonly share: string },
  ): Promise<PollResult & { readonly token?: AccessToken }>;
}
