import { onOneLine } from './text/text.ts';

/**
 * Every error Azimuth raises on purpose carries a code of this table. The code, not the text, is the contract:
 * docs/reference/errors.md lists exactly these rows, and a test compares the two.
 */
export interface ErrorRow {
  /** One sentence for the reference page: the problem, and how to fix it. */
  readonly meaning: string;
  /** Whether a later retry of the same action can succeed without a change by a person. */
  readonly retryable: boolean;
}

/** Every error code with its meaning; docs/reference/errors.md is made from it. */
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
    meaning:
      'The answer is not from the Kubernetes API: a proxy or login page, or a stream that ended in the middle of an event.',
    retryable: true,
  },
  AZ_WATCH_EXPIRED: {
    meaning: 'A watch or list position is too old (410); the reflector lists again.',
    retryable: true,
  },
  AZ_LEASE_LOST: {
    meaning: 'Another replica holds the lease, or the program could not renew it in time.',
    retryable: true,
  },
  AZ_AUTH_FAILED: {
    meaning: 'Microsoft Entra ID or the metadata endpoint refused to issue a token for this credential.',
    retryable: true,
  },
  AZ_AUTH_UNREACHABLE: { meaning: 'Microsoft Entra ID or the metadata endpoint did not answer.', retryable: true },
  AZ_ARM_UNREACHABLE: { meaning: 'Azure Resource Manager did not answer.', retryable: true },
  AZ_ARM_ANSWER: {
    meaning: 'Azure Resource Manager answered a GET with success, but with another resource.',
    retryable: true,
  },
  AZ_ARM_REFUSED: {
    meaning: 'Azure Resource Manager refused a request; HTTP status, code and request id are attached.',
    retryable: true,
  },
  AZ_ARM_BUSY: {
    meaning: 'Azure is changing the resource or its owner and accepts no other change until that has ended.',
    retryable: true,
  },
  AZ_ARM_THROTTLED: {
    meaning: 'The request budget of a subscription is empty; the program did not send the request.',
    retryable: true,
  },
  AZ_OPERATION_FAILED: { meaning: 'A long-running Azure operation ended as Failed or Canceled.', retryable: true },
  AZ_KEYVAULT_UNREACHABLE: { meaning: 'Key Vault did not answer.', retryable: true },
  AZ_KEYVAULT_REFUSED: {
    meaning: 'Key Vault refused a request; the message names the vault and the required permission.',
    retryable: true,
  },
  AZ_GRAPH_UNREACHABLE: { meaning: 'Microsoft Graph did not answer.', retryable: true },
  AZ_GROUP_AMBIGUOUS: {
    meaning: 'The directory has several groups with the display name of an object that may adopt one.',
    retryable: true,
  },
  AZ_DATABASE: {
    meaning:
      'A database server did not answer, or refused to change an account; the message has neither statement nor password.',
    retryable: true,
  },
  AZ_KIND_UNKNOWN: {
    meaning: 'Azimuth does not serve the requested group and kind; the message lists the kinds of the group.',
    retryable: false,
  },
  AZ_REFERENCE_MISSING: {
    meaning: 'An owner, reference, Secret or ConfigMap that the object names does not exist yet.',
    retryable: true,
  },
  AZ_BUDGET_SPENT: {
    meaning:
      'A namespace has used all of its share of computing or requests; the message names the share, which grows again.',
    retryable: true,
  },
  AZ_ISOLATION: {
    meaning:
      'The process that computes texts of namespaces does not start, ends with the program, or gets no processor on a busy node.',
    retryable: true,
  },
  AZ_RUN_TOO_LONG: {
    meaning:
      'The work on an object waited for other services for eight minutes; the program ended it and tries it again.',
    retryable: true,
  },
  AZ_TIMED_OUT: {
    meaning: 'A command did not end within the time of its flag `--timeout`.',
    retryable: true,
  },
  AZ_PLAN_OUTDATED: {
    meaning: 'The cluster or Azure changed after the plan that a command was to apply; nothing was applied.',
    retryable: false,
  },
  AZ_ACCESS_DENIED: {
    meaning: 'A service account whose rights decide may not make a write; the message names the right.',
    retryable: true,
  },
  AZ_CONFLICT_OWNED: {
    meaning: 'A target object exists and has another owner; the program does not change it.',
    retryable: false,
  },
  AZ_ILLEGAL_TRANSITION: {
    meaning: 'Code requested a transition that the state machine does not have: a bug in Azimuth.',
    retryable: false,
  },
  AZ_GRAPH_CYCLE: {
    meaning:
      'Objects depend on each other in a cycle; the message shows the whole cycle. Remove one of the dependencies.',
    retryable: false,
  },
  AZ_PIPELINE_INVALID: {
    meaning: 'A pipeline names a block twice, or names an unknown block: a bug in Azimuth.',
    retryable: false,
  },
  AZ_REDIRECTION_FAILED: {
    meaning:
      "The node daemon cannot read or add the rules that redirect pods' metadata requests to it; the message has the command and its output.",
    retryable: true,
  },
  AZ_VOLUME_MOUNT: {
    meaning: 'The driver cannot mount, write or unmount a volume on this node; the message has the step and its error.',
    retryable: true,
  },
  AZ_VOLUME_CONTENT: {
    meaning:
      'A vault object does not exist in the requested format; the message names the object, its type and its formats.',
    retryable: false,
  },
  AZ_VOLUME_AGENT: {
    meaning:
      'A volume needs the node agent (azimuth volumes), which does not answer; the message has the reason for the need.',
    retryable: true,
  },
  AZ_VOLUME_REFUSED: {
    meaning:
      'A pod may not have the requested volume: it is another pod than the request says, or its AzureIdentityBinding allows less; the message has the reason.',
    retryable: true,
  },
  AZ_TERMINAL: {
    meaning: 'No retry can succeed; change the object or the configuration.',
    retryable: false,
  },
} as const satisfies Record<string, ErrorRow>;

/** A code of the error table. */
export type ErrorCode = keyof typeof errorTable;

/** Options of one AzimuthError. */
export interface AzimuthErrorOptions {
  /** Overrides the table's default for this occurrence. */
  readonly retryable?: boolean | undefined;
  /** Earliest useful retry, milliseconds from now (Retry-After of the other side). */
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown | undefined;
}

/** The base class; subclasses add the details of their domain as readonly members. Messages never carry secrets. */
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
