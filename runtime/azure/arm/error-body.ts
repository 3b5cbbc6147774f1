import { isObject } from '../../base/json.ts';

/** One code with its message, as ARM and its resource providers send them. */
export interface ErrorDetail {
  readonly code: string;
  readonly message: string;
  readonly target?: string;
}

/** The members of an error answer of ARM, in whichever of its forms it came. */
export interface ErrorBody {
  readonly code: string | undefined;
  readonly message: string;
  readonly target: string | undefined;
  /** Nested ones flattened: details, innererror, additionalInfo and subcode, outermost first. */
  readonly details: readonly ErrorDetail[];
}

const MAX_DETAILS = 50;

const MAX_DEPTH = 8;

/**
 * Reads any error body that occurs in ARM traffic (facts/azure-service-operator.md 5.3): `{error: {...}}`, the same
 * unwrapped or capitalised, AKS's `subcode`, problem documents (RFC 9457), OData's `{odata.error}`, `{Message}`, a JSON
 * string, numeric codes, HTML and nothing at all. Never throws.
 */
export function parseErrorBody(body: unknown, text: string): ErrorBody {
  let parsed = body;
  // Some gateways wrap the document in a JSON string.
  if (typeof parsed === 'string') {
    try {
      parsed = JSON.parse(parsed) as unknown;
    } catch {
      return { code: undefined, message: firstLine(String(body)), target: undefined, details: [] };
    }
  }
  const outer = record(parsed);
  if (!outer) return { code: undefined, message: messageOfText(text), target: undefined, details: [] };
  const wrapped = get(outer, 'error') ?? get(outer, 'odata.error');
  const error = record(wrapped) ?? outer;
  const details: ErrorDetail[] = [];
  collect(error, details, 0);
  return {
    code: codeOf(error) ?? (typeof wrapped === 'string' ? wrapped : undefined),
    message:
      messageOf(error) ?? string(get(outer, 'error_description')) ?? string(get(outer, 'title')) ?? messageOfText(text),
    target: string(get(error, 'target')),
    details,
  };
}

function collect(error: Record<string, unknown>, into: ErrorDetail[], depth: number): void {
  if (depth >= MAX_DEPTH) return;
  const subcode = code(get(error, 'subcode'));
  if (subcode) add(into, { code: subcode, message: messageOf(error) ?? '' });
  for (const detail of asList(get(error, 'details'))) visit(detail, into, depth);
  for (const inner of [get(error, 'innererror'), get(error, 'innerException')]) visit(inner, into, depth);
  for (const info of asList(get(error, 'additionalInfo'))) {
    visit(
      record(info) && codeOf(info as Record<string, unknown>) ? info : get(record(info) ?? {}, 'info'),
      into,
      depth,
    );
  }
}

function visit(value: unknown, into: ErrorDetail[], depth: number): void {
  const wrapper = record(value);
  if (!wrapper) return;
  const detail = record(get(wrapper, 'error')) ?? wrapper;
  const own = codeOf(detail);
  if (own) add(into, { code: own, message: messageOf(detail) ?? '', target: string(get(detail, 'target')) });
  // Deployments put a whole error document, as text, into the message of a detail.
  const nested = messageOf(detail)?.trimStart();
  if (nested?.startsWith('{')) {
    try {
      visit(JSON.parse(nested), into, depth + 1);
    } catch {
      // Not a document after all.
    }
  }
  collect(detail, into, depth + 1);
}

function add(
  into: ErrorDetail[],
  { code: detailCode, message, target }: { code: string; message: string; target?: string | undefined },
) {
  if (into.length < MAX_DETAILS) into.push({ code: detailCode, message, ...(target === undefined ? {} : { target }) });
}

function codeOf(error: Record<string, unknown>): string | undefined {
  return code(get(error, 'code')) ?? code(get(error, 'errorCode'));
}

function messageOf(error: Record<string, unknown>): string | undefined {
  const message = get(error, 'message') ?? get(error, 'detail');
  return string(message) ?? string(get(record(message) ?? {}, 'value'));
}

function messageOfText(text: string): string {
  const trimmed = text.trim().slice(0, 10_000);
  if (!/^</.test(trimmed)) return firstLine(trimmed);
  const heading = /<(title|h1|h2|h3)[^>]*>([\s\S]*?)<\/\1>/i.exec(trimmed)?.[2] ?? '';
  return firstLine(heading.replaceAll(/<[^<>]*>/g, ' ')) || 'an HTML page';
}

function firstLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, 500);
}

/** A member by name in any case; the exact name wins. */
function get(object: Record<string, unknown>, name: string): unknown {
  if (Object.hasOwn(object, name)) return object[name];
  const lower = name.toLowerCase();
  const key = Object.keys(object).find((candidate) => candidate.toLowerCase() === lower);
  return key === undefined ? undefined : object[key];
}

function record(value: unknown): Record<string, unknown> | undefined {
  return isObject(value) ? value : undefined;
}

function asList(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return value === undefined || value === null ? [] : [value];
}

function string(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function code(value: unknown): string | undefined {
  return typeof value === 'number' ? String(value) : string(value);
}
