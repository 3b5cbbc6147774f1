import { onOneLine } from './text.ts';

/**
 * Every error Azimuth raises on purpose carries a code of this table. The code, not the text, is the contract:
 * docs/reference/errors.md lists exactly these rows, and a test compares the two.
 */
export interface ErrorRow {
  /** One sentence for the reference page: what went wrong and what to do. */
  readonly meaning: string;
  /** Whether trying the same thing again later can succeed without anybody changing anything. */
  readonly retryable: boolean;
}

export const errorTable = {
  AZ_CONFIG_INVALID: {
    meaning: 'A flag, environment variable or file of the configuration is missing or malformed.',
    retryable: false,
  },
  AZ_KUBECONFIG_INVALID: {
    meaning: 'The kubeconfig cannot be used; the message names the entry and the member.',
    retryable: false,
  },
  AZ_KUBE_UNREACHABLE: { meaning: 'The Kubernetes API server did not answer.', retryable: true },
  AZ_KUBE_STATUS: {
    meaning: 'The Kubernetes API server refused a request; status, reason and causes are attached.',
    retryable: false,
  },
  AZ_KUBE_ANSWER: {
    meaning: 'What answered is not the Kubernetes API: a proxy or login page, or a stream that was cut in mid-event.',
    retryable: true,
  },
  AZ_WATCH_EXPIRED: {
    meaning: 'A watch or list position is too old (410); the reflector lists anew.',
    retryable: true,
  },
  AZ_LEASE_LOST: { meaning: 'Another replica holds the lease, or it could not be renewed in time.', retryable: true },
  AZ_AUTH_FAILED: {
    meaning: 'AAD or the metadata endpoint refused to issue a token for this credential.',
    retryable: true,
  },
  AZ_AUTH_UNREACHABLE: { meaning: 'AAD or the metadata endpoint did not answer.', retryable: true },
  AZ_ARM_UNREACHABLE: { meaning: 'Azure Resource Manager did not answer.', retryable: true },
  AZ_ARM_ANSWER: {
    meaning: 'Azure Resource Manager answered a GET with success, but not with the resource that was asked for.',
    retryable: true,
  },
  AZ_ARM_REFUSED: {
    meaning: 'Azure Resource Manager refused a request; HTTP status, code and request id are attached.',
    retryable: true,
  },
  AZ_ARM_BUSY: {
    meaning: 'Azure is changing the resource or its owner and takes no other change until that is over.',
    retryable: true,
  },
  AZ_ARM_THROTTLED: {
    meaning: 'The request budget of a subscription is used up; the request was held back and not sent.',
    retryable: true,
  },
  AZ_OPERATION_FAILED: { meaning: 'A long-running Azure operation ended as Failed or Canceled.', retryable: true },
  AZ_KEYVAULT_UNREACHABLE: { meaning: 'Key Vault did not answer.', retryable: true },
  AZ_KEYVAULT_REFUSED: {
    meaning: 'Key Vault refused a request; the message names the vault and the permission asked for.',
    retryable: true,
  },
  AZ_SCHEMA_INVALID: {
    meaning: 'An object does not fit the schema of its kind; every offending field is listed.',
    retryable: false,
  },
  AZ_KIND_UNKNOWN: {
    meaning: 'A group and kind were asked for that Azimuth does not serve; the message lists those of the group.',
    retryable: false,
  },
  AZ_REFERENCE_MISSING: {
    meaning: 'An owner, reference, Secret or ConfigMap that the object names does not exist yet.',
    retryable: true,
  },
  AZ_BUDGET_SPENT: {
    meaning: 'A namespace has used up its share of computing or requests; the message names which, and it grows again.',
    retryable: true,
  },
  AZ_CONFLICT_OWNED: {
    meaning: 'A target object exists and belongs to somebody else; it is left untouched.',
    retryable: false,
  },
  AZ_ILLEGAL_TRANSITION: {
    meaning: 'A state machine was asked for a transition it does not have: a bug in Azimuth.',
    retryable: false,
  },
  AZ_GRAPH_CYCLE: {
    meaning: 'Objects depend on each other in a cycle; the message prints all of it. Remove one of the dependencies.',
    retryable: false,
  },
  AZ_PIPELINE_INVALID: {
    meaning: 'A pipeline names a block twice, or one that it does not have: a bug in Azimuth.',
    retryable: false,
  },
  AZ_REDIRECTION_FAILED: {
    meaning:
      "The rules that lead pods' metadata requests to the node daemon cannot be read or put up; the message has the command and what it said.",
    retryable: true,
  },
  AZ_VOLUME_MOUNT: {
    meaning:
      'A volume cannot be mounted, written or unmounted on this node; the message has the step and what it said.',
    retryable: true,
  },
  AZ_VOLUME_CONTENT: {
    meaning:
      'A vault object cannot be had in the format asked for; the message names the object, what it is, and the formats it has.',
    retryable: false,
  },
  AZ_VOLUME_AGENT: {
    meaning:
      'A volume needs the node agent (azimuth volumes), which does not answer; the message says why it needs it.',
    retryable: true,
  },
  AZ_VOLUME_REFUSED: {
    meaning:
      'A pod may not have the volume it asks for: it is not the pod it says, or its AzureIdentityBinding admits less; the message says what.',
    retryable: true,
  },
  AZ_TERMINAL: {
    meaning: 'No retry can help; a change of the object or of the configuration is needed.',
    retryable: false,
  },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof errorTable;

export interface AzimuthErrorOptions {
  /** Overrides the table's default for this occurrence. */
  readonly retryable?: boolean;
  /** Earliest useful retry, milliseconds from now (Retry-After of the other side). */
  readonly retryAfterMs?: number;
  readonly cause?: unknown;
}

/** The base class; subclasses add the facts of their domain as readonly members. Messages never carry secrets. */
export class AzimuthError extends Error {
  readonly code: ErrorCode;
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;

  constructor(code: ErrorCode, message: string, options: AzimuthErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.code = code;
    this.retryable = options.retryable ?? errorTable[code].retryable;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** The one wording for bad configuration: Expected `x` to be ..., got `y` (typeof). */
export function expected(what: string, toBe: string, got: unknown): AzimuthError {
  const shown = typeof got === 'string' ? got : (JSON.stringify(got) ?? String(got));
  return new AzimuthError('AZ_CONFIG_INVALID', `Expected \`${what}\` to be ${toBe}, got \`${shown}\` (${typeof got})`);
}

/** The message of anything that was thrown, on one line. */
export function messageOf(error: unknown): string {
  // Errors of Node's own code are of another realm wherever a vm context runs this.
  return onOneLine(Error.isError(error) ? error.message : String(error));
}
