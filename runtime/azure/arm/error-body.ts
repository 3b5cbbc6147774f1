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
  /** One text for each policy of Azure Policy that denied the request, of any length. */
  readonly policies: readonly string[];
}

const MAX_DETAILS = 50;

const MAX_DEPTH = 8;
const MAX_POLICIES = 5;
const MAX_EXPRESSIONS = 5;

/** The lists that nested members of an error go into. */
interface Found {
  readonly details: ErrorDetail[];
  readonly policies: string[];
}

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
      return { code: undefined, message: firstLine(String(body)), ...nothing };
    }
  }
  const outer = record(parsed);
  if (!outer) return { code: undefined, message: messageOfText(text), ...nothing };
  const wrapped = get(outer, 'error') ?? get(outer, 'odata.error');
  const error = record(wrapped) ?? outer;
  const found: Found = { details: [], policies: [] };
  collect(error, found, 0);
  return {
    code: codeOf(error) ?? (typeof wrapped === 'string' ? wrapped : undefined),
    message:
      messageOf(error) ?? string(get(outer, 'error_description')) ?? string(get(outer, 'title')) ?? messageOfText(text),
    target: string(get(error, 'target')),
    ...found,
  };
}

const nothing = { target: undefined, details: [], policies: [] } as const;

function collect(error: Record<string, unknown>, into: Found, depth: number): void {
  if (depth >= MAX_DEPTH) return;
  const subcode = code(get(error, 'subcode'));
  if (subcode) add(into, { code: subcode, message: messageOf(error) ?? '' });
  for (const detail of asList(get(error, 'details'))) visit(detail, into, depth);
  for (const inner of [get(error, 'innererror'), get(error, 'innerException')]) visit(inner, into, depth);
  for (const info of asList(get(error, 'additionalInfo'))) {
    addPolicy(record(info) ?? {}, into);
    visit(
      record(info) && codeOf(info as Record<string, unknown>) ? info : get(record(info) ?? {}, 'info'),
      into,
      depth,
    );
  }
}

function visit(value: unknown, into: Found, depth: number): void {
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
  { details: into }: Found,
  { code: detailCode, message, target }: { code: string; message: string; target?: string | undefined },
) {
  if (into.length < MAX_DETAILS) into.push({ code: detailCode, message, ...(target === undefined ? {} : { target }) });
}

/**
 * A denial of Azure Policy: the policy, its assignment, and the fields that it evaluated. It leaves out the values of
 * the request, which may be secret.
 */
function addPolicy(entry: Record<string, unknown>, { policies }: Found): void {
  const info = record(get(entry, 'info'));
  if (!info || get(entry, 'type') !== 'PolicyViolation' || policies.length >= MAX_POLICIES) return;
  const named = ['policyAssignmentDisplayName', 'policyDefinitionDisplayName', 'policyAssignmentName'] as const;
  const name = named.map((member) => string(get(info, member))).find(Boolean) ?? 'without a name';
  const assignment = string(get(info, 'policyAssignmentId'));
  const evaluated = record(get(info, 'evaluationDetails')) ?? {};
  const expressions = asList(get(evaluated, 'evaluatedExpressions')).flatMap((each) => expressionText(record(each)));
  const shown = expressions.slice(0, MAX_EXPRESSIONS).join(', ');
  const text = `Policy ${name}${assignment === undefined ? '' : ` (assignment ${assignment})`}${shown && `: ${shown}`}`;
  if (!policies.includes(text)) policies.push(text);
}

/** `properties.supportsHttpsTrafficOnly Equals True is False`. Each policy has the type of the resource beside others. */
function expressionText(each: Record<string, unknown> | undefined): string[] {
  const field = each && (string(get(each, 'path')) ?? string(get(each, 'expression')));
  if (!each || field === undefined || field.toLowerCase() === 'type') return [];
  const target = get(each, 'targetValue');
  const value = target === undefined ? '' : ` ${typeof target === 'string' ? target : JSON.stringify(target)}`;
  const operator = string(get(each, 'operator'));
  return [`${field}${operator === undefined ? '' : ` ${operator}${value} is ${String(get(each, 'result'))}`}`];
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
