import type { ErrorOverride } from '../../api/types.ts';
import { AzimuthError } from '../../base/errors.ts';
import type { ArmErrorInfo, ArmMethod, RetryClass } from '../types.ts';
import { parseErrorBody } from './error-body.ts';
import { classOfCode } from './error-classes.ts';

/** AZ_ARM_REFUSED with ARM's error, and whether a retry can help (`retryable`, `info.retryClass`). */
export class ArmError extends AzimuthError {
  readonly info: ArmErrorInfo;
  /** Of the request. */
  readonly path: string;

  constructor(method: ArmMethod, path: string, info: ArmErrorInfo) {
    const stable = stripVolatile(info.message);
    super(
      'AZ_ARM_REFUSED',
      `${method} ${path.split('?')[0]} was refused: ${info.status} ${info.code}${stable ? `: ${stable}` : ''}` +
        (info.requestId ? ` (request ${info.requestId})` : ''),
      { retryable: info.retryClass !== 'none', retryAfterMs: info.retryAfterMs },
    );
    this.info = info;
    this.path = path;
  }
}

/** An answer of ARM that is an error, before it is classified. */
export interface ArmRefusal {
  readonly status: number;
  readonly body: unknown;
  /** The body as received, for HTML and plain text. @default '' */
  readonly text?: string;
  readonly requestId?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  /** Values that must not occur in the result. */
  readonly secrets?: readonly string[] | undefined;
}

/** The error of a refused request, or of the error of a failed operation (status 200). */
export function armErrorInfo(refusal: ArmRefusal, overrides: readonly ErrorOverride[] = []): ArmErrorInfo {
  const { status, requestId, retryAfterMs } = refusal;
  const hide = (text: string) => hideSecrets(text, refusal.secrets ?? []);
  // Before a long text is cut short, which could leave the first half of a secret.
  const body = typeof refusal.body === 'string' ? hide(refusal.body) : refusal.body;
  const { code, target, policies, ...parsed } = parseErrorBody(body, hide(refusal.text ?? ''));
  const message = parsed.message || (parsed.details.find((detail) => detail.message !== '')?.message ?? '');
  const info: ArmErrorInfo = {
    status,
    code: code ?? `HTTP${status}`,
    topLevelCode: code,
    message: withPolicies(hide(message), hide(policies.join('; '))),
    target,
    details: parsed.details,
    requestId,
    retryAfterMs,
    retryClass: 'slow',
  };
  return classifyArmError(cutShort(withoutSecrets(info, refusal.secrets ?? [])), overrides);
}

/** Longest code and text that are taken over from an answer, and what the policies have of the text. */
const MAX_CODE = 128;
const MAX_TEXT = 4096;
const MAX_POLICIES = 1024;

/** Policies come last, after a text that repeats them as JSON in any length. */
function withPolicies(message: string, policies: string): string {
  if (policies === '') return message;
  const shown = policies.length > MAX_POLICIES ? `${policies.slice(0, MAX_POLICIES - 1)}…` : policies;
  const text = message.slice(0, MAX_TEXT - MAX_POLICIES - 2).replace(/\.$/, '');
  return text === '' ? shown : `${text}. ${shown}`;
}

/** The same error with codes and texts cut to a length that conditions, events and regular expressions can take. */
function cutShort(info: ArmErrorInfo): ArmErrorInfo {
  const text = (value: string) => value.slice(0, MAX_TEXT);
  return {
    ...info,
    code: info.code.slice(0, MAX_CODE),
    topLevelCode: info.topLevelCode?.slice(0, MAX_CODE),
    message: text(info.message),
    target: info.target?.slice(0, MAX_TEXT),
    details: info.details.map(({ code, message, target }) => ({
      code: code.slice(0, MAX_CODE),
      message: text(message),
      ...(target !== undefined && { target: text(target) }),
    })),
  };
}

/** The same error with the given values cut out of all texts of Azure. */
export function withoutSecrets(info: ArmErrorInfo, secrets: readonly string[]): ArmErrorInfo {
  if (secrets.length === 0) return info;
  const hide = (text: string) => hideSecrets(text, secrets);
  const hideIn = (code: string) => hideInCode(code, secrets);
  const details = info.details.map((detail) => ({
    ...detail,
    code: hideIn(detail.code),
    message: hide(detail.message),
    ...(detail.target !== undefined && { target: hide(detail.target) }),
  }));
  const target = info.target === undefined ? undefined : hide(info.target);
  const topLevelCode = info.topLevelCode === undefined ? undefined : hideIn(info.topLevelCode);
  return { ...info, code: hideIn(info.code), topLevelCode, message: hide(info.message), target, details };
}

/**
 * Decides the meaning of an error; may be called again on its own result with the overrides of a kind. In this order:
 *
 * 1. the kind's overrides, for any code of `details[]` or the top-level one;
 * 2. the transport: 408, 429, 5xx, or any answer with Retry-After says itself that it passes: slow;
 * 3. the codes of `details[]`: a fatal one decides, else the first that is known;
 * 4. the top-level code;
 * 5. unknown code: verySlow for HTTP 400, else slow; no code at all: slow.
 */
export function classifyArmError(info: ArmErrorInfo, overrides: readonly ErrorOverride[] = []): ArmErrorInfo {
  const top = info.topLevelCode === undefined ? [] : [{ code: info.topLevelCode, message: info.message }];
  const candidates = [...info.details, ...top];
  for (const candidate of candidates) {
    const override = overrides.find((row) => matches(row, candidate, info.message));
    if (override) return { ...info, code: candidate.code, retryClass: classOfOverride(override, candidate.code) };
  }
  const known = info.details.filter(({ code }) => classOfCode(code) !== undefined);
  const decisive = known.find(({ code }) => classOfCode(code) === 'none') ?? known[0];
  const code = decisive?.code ?? info.topLevelCode ?? `HTTP${info.status}`;
  if (isTransient(info.status) || info.retryAfterMs !== undefined) return { ...info, code, retryClass: 'slow' };
  return { ...info, code, retryClass: classOfCode(code) ?? classOfUnknown(info) };
}

/** Answers that say nothing about the request itself. */
export function isTransient(status: number): boolean {
  return status === 408 || status === 429 || status >= 500;
}

/** Azure read the request and refused it, so that it had no effect; 408: the request did not arrive in time. */
export function isRefusal(error: unknown): error is ArmError {
  const { status } = error instanceof ArmError ? error.info : { status: 0 };
  return status >= 400 && status < 500 && status !== 408;
}

function classOfUnknown(info: ArmErrorInfo): RetryClass {
  return info.status === 400 && info.topLevelCode !== undefined ? 'verySlow' : 'slow';
}

function classOfOverride(override: ErrorOverride, code: string): RetryClass {
  if (override.class === 'fatal' || (override.class === 'unchanged' && classOfCode(code) === 'none')) return 'none';
  const asked = override.retry;
  return asked === 'fast' || asked === 'verySlow' ? asked : 'slow';
}

/** An override's message is a regular expression, or a plain part of the text with `match: contains`. */
function matches(row: ErrorOverride, candidate: { code: string; message: string }, topMessage: string): boolean {
  if (row.code !== '*' && row.code.toLowerCase() !== candidate.code.toLowerCase()) return false;
  const wanted = row.message;
  if (wanted === undefined) return true;
  const texts = [candidate.message, topMessage];
  if (row.match === 'contains') return texts.some((text) => text.includes(wanted));
  return texts.some((text) => new RegExp(wanted).test(text));
}

/** Secrets of one request that are searched for in a text: further ones would take seconds. */
const mostSecrets = 200;
/** The forms of the secrets of a request, which are the same for all texts of an error. */
const formsOf = new WeakMap<readonly string[], readonly string[]>();

/**
 * Replaces every occurrence of the given values, also as JSON, a URL, base64 or one line write them, by `***`. Of a
 * request with more than 200 secrets no text is shown.
 */
export function hideSecrets(text: string, secrets: readonly string[]): string {
  if (text === '' || secrets.length === 0) return text;
  if (secrets.length > mostSecrets) return `(not shown: it might repeat one of ${secrets.length} secrets)`;
  const forms = formsOf.get(secrets) ?? writtenForms(secrets);
  formsOf.set(secrets, forms);
  return forms.reduce((clean, form) => clean.replaceAll(form, '***'), text);
}

function writtenForms(secrets: readonly string[]): readonly string[] {
  const written = secrets.filter(Boolean).flatMap((secret) => {
    const inJson = JSON.stringify(secret).slice(1, -1);
    const base64 = Buffer.from(secret).toString('base64');
    return [secret, inJson, JSON.stringify(inJson).slice(1, -1), tryEncode(secret), base64, oneLine(secret)];
  });
  // The longest first: a part of it that is hidden would leave the rest.
  return [...new Set(written)].filter(Boolean).sort((a, b) => b.length - a.length);
}

/** The same for a code. A code of the usual form stays whole: a short secret must not turn it into another code. */
export function hideInCode(code: string, secrets: readonly string[]): string {
  return /^[\w.-]{1,128}$/.test(code) && !secrets.includes(code) ? code : hideSecrets(code, secrets);
}

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

/** Half of a surrogate pair cannot be part of a URL. */
function tryEncode(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    return text;
  }
}

const volatileParts: readonly [RegExp, string][] = [
  // Ids that are new in every answer, by their label; ids of subscriptions, principals and so on stay.
  [
    /(\b(?:x-ms-)?(?:client[- ]?)?(?:request|correlation|tracking|activity|trace|operation|transaction|session|diagnostic)[ _-]?id['"]?)\s*(?:is|of|:|=)?\s*(?:\(['"]*[0-9a-z][0-9a-z.:_-]*[0-9a-z]['"]*\)|['"]*[0-9a-z][0-9a-z.:_-]*[0-9a-z]['"]*)/gi,
    '$1 …',
  ],
  [/\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:\s?(?:Z|UTC|[+-]\d{2}:?\d{2}))?/g, '…'],
  [/(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? \d{1,2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2}(?: (?:GMT|UTC))?/g, '…'],
  [/\b\d{1,2}\/\d{1,2}\/\d{4},? \d{1,2}:\d{2}(?::\d{2})?(?: ?[AP]M)?(?: ?[+-]\d{2}:\d{2})?/g, '…'],
  [/\b\d+(?:\.\d+)?( ?(?:milliseconds?|ms|seconds?|secs?|minutes?|mins?))\b/gi, '…$1'],
];

/** Characters of a message that a person reads; the patterns above see no more of it. */
export const maxMessageLength = 8192;

/** A message without request ids, times and waiting times, so that conditions made of it do not flap; cut where it is too long. */
export function stripVolatile(message: string): string {
  const cut = message.length > maxMessageLength ? `${message.slice(0, maxMessageLength)}…` : message;
  return volatileParts.reduce((text, [pattern, replacement]) => text.replaceAll(pattern, replacement), cut);
}
