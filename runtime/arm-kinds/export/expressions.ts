import { Environment } from '@marcbachmann/cel-js';
import { LRUCache } from 'lru-cache';
import type { AzureNames } from '../../api/arm/key-vault-outputs.ts';
import { tryParseResourceId } from '../../azure/arm/resource-ids.ts';
import { AzimuthError } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';
import { addStringFunctions } from './cel-strings.ts';
import { addTwoVariableComprehensions } from './cel-two-variables.ts';

type Compiled = (context: Record<string, unknown>) => unknown;

/** The namespace of ASO v2's own functions. */
class AsoFunctions {}
const aso = new AsoFunctions();

/** For expressions over values that are no secrets. */
const withoutSecrets = new Environment({ homogeneousAggregateLiterals: false, enableOptionalTypes: true })
  .registerVariable('self', 'dyn')
  .registerType('AsoFunctions', AsoFunctions)
  .registerVariable('aso', 'AsoFunctions')
  .registerFunction('AsoFunctions.parseResourceId(string): map', (_: AsoFunctions, id: string) => resourceIdParts(id));
addStringFunctions(withoutSecrets);
addTwoVariableComprehensions(withoutSecrets);
const environment = withoutSecrets.clone().registerVariable('secret', 'dyn');

/** Of the CEL of v1's keys (runtime/api/arm/key-vault-outputs.ts), which needs more than expressions of users. */
class OutputFunctions {}
const azimuth = new OutputFunctions();
type Items = readonly Readonly<Record<string, unknown>>[];
const plain = (text: unknown) => String(text).replaceAll(/[^0-9A-Za-z]/g, '');
const outputs = environment
  .clone()
  .registerVariable('input', 'dyn')
  .registerVariable('azure', 'dyn')
  .registerType('OutputFunctions', OutputFunctions)
  .registerVariable('azimuth', 'OutputFunctions')
  .registerFunction('OutputFunctions.json(dyn): string', (_: OutputFunctions, value: unknown) => JSON.stringify(value))
  .registerFunction(
    'OutputFunctions.keyed(list, string, string): map',
    (_: OutputFunctions, list: Items, key: string, value: string) =>
      Object.fromEntries(list.map((item) => [plain(item[key]), item[value]])),
  )
  .registerFunction(
    'OutputFunctions.endpoints(list, string, string): map',
    (_: OutputFunctions, list: Items, key: string, value: string) =>
      Object.fromEntries(list.map((item) => [`${plain(item[key]).toLowerCase()}Endpoint`, item[value]])),
  );
const programs = new Map<Environment, LRUCache<string, Compiled>>();
const maxPrograms = 1000;

/** An expression of a user's. */
export interface UserExpression {
  readonly expression: string;
  /** Path in the object. */
  readonly where: string;
  /** Whether it may see `secret`: its value must then go to a place for secrets. */
  readonly seesSecrets: boolean;
  /** The type that its value must have, where that is known beforehand. */
  readonly yields?: 'bool' | 'string';
}

/**
 * Throws AZ_TERMINAL for an expression that cannot be read, or that is wrong for all values, such as one with an
 * unknown variable or with another type than it must have.
 */
export function checkExpression({ expression, where, seesSecrets, yields }: UserExpression): void {
  const checked = (seesSecrets ? environment : withoutSecrets).check(expression);
  const hidden = !checked.valid && !seesSecrets && environment.check(expression).valid;
  const found = checked.error?.summary ?? 'it cannot be read';
  // As in other destinations, which take labels and annotations as they are.
  const isWord = yields === 'string' && /^[\w.-]{1,63}$/.test(expression);
  const fixed = isWord ? `${found}; write a fixed text in quotes, \`"${expression}"\`` : found;
  const problem = hidden ? 'secret can be used in the values of secretExpressions only' : fixed;
  if (!checked.valid) throw terminal(`${where}: the expression \`${expression}\` is wrong: ${problem}`);
  if (yields === undefined || checked.type === yields || checked.type === 'dyn') return;
  throw terminal(
    `${where}: the expression \`${expression}\` must be of type ${yields}, but is of type ${checked.type}`,
  );
}

/**
 * Evaluates CEL over `self` and, where it may see it, `secret`; `aso.parseResourceId(id)` takes an ARM id apart. Throws
 * AZ_TERMINAL, naming the expression but no value, for one that cannot be read or evaluated. It may take for ever: a
 * program calls it in a process that it can end (runtime/operator/export/expression-process.ts).
 */
export function evaluate(
  { expression, where, seesSecrets }: UserExpression,
  variables: { readonly self: unknown; readonly secret?: unknown },
): unknown {
  const { self, secret = {} } = variables;
  try {
    const program = compiled(expression, seesSecrets ? environment : withoutSecrets);
    return program({ self, aso, ...(seesSecrets && { secret }) });
  } catch (error) {
    throw terminal(`${where}: the expression \`${expression}\` cannot be evaluated: ${problemOf(error, expression)}`);
  }
}

/** CEL's value for a Secret or ConfigMap: a scalar, or a map of scalars. Throws RangeError where it is too long. */
export function plainValue(value: unknown): unknown {
  const entries = value instanceof Map ? [...value] : isObject(value) ? Object.entries(value) : undefined;
  const plain = entries ? Object.fromEntries(entries.map(([key, each]) => [String(key), scalar(each)])) : scalar(value);
  const texts = entries ? Object.entries(plain as object).flat() : [plain];
  const length = texts.reduce((sum: number, text) => sum + (typeof text === 'string' ? text.length : 0), 0);
  if (length > maxValueLength) throw new RangeError('too long');
  return plain;
}

/** Characters: a Secret holds one MiB. */
const maxValueLength = 1_048_576;

function scalar(value: unknown): unknown {
  return value === null || ['string', 'number', 'boolean', 'bigint'].includes(typeof value) ? value : undefined;
}

/** The problem, and its place in the expression. The library's own message may quote values. */
function problemOf(error: unknown, expression: string): string {
  const { code, range } = error as { readonly code?: string; readonly range?: { start: number; end: number } };
  if (code === undefined) return error instanceof Error ? error.name : 'Error';
  const at = range && expression.slice(range.start, range.end);
  return `${code.replaceAll('_', ' ')}${at ? `, at \`${at}\`` : ''}`;
}

function terminal(message: string): AzimuthError {
  return new AzimuthError('AZ_TERMINAL', message);
}

/** Variables of the CEL of one of v1's keys. */
export interface OutputVariables {
  readonly self: unknown;
  readonly secret: unknown;
  readonly input: Readonly<Record<string, unknown>>;
  readonly azure: AzureNames;
}

/** The value of one of v1's keys; undefined while Azure does not show its parts yet. */
export function evaluateOutput(expression: string, variables: OutputVariables): unknown {
  try {
    return compiled(expression, outputs)({ ...variables, aso, azimuth });
  } catch {
    return undefined;
  }
}

/** The members of `secret` that an expression uses, or `all` if it does not name them. */
export function secretsIn(expression: string): readonly string[] | 'all' {
  const uses = expression.matchAll(/(?:^|[^\w.])secret\s*(?:\.\s*(\w+)|\[)/g);
  const names = [...uses].map(([, name]) => name);
  return names.every((name) => name !== undefined) ? names : 'all';
}

function compiled(expression: string, language: Environment): Compiled {
  const known = programs.get(language) ?? new LRUCache<string, Compiled>({ max: maxPrograms });
  programs.set(language, known);
  let program = known.get(expression);
  if (!program) {
    program = language.parse(expression) as unknown as Compiled;
    known.set(expression, program);
  }
  return program;
}

/** The parts of an ARM id, under ASO v2's names. */
function resourceIdParts(id: string): Record<string, unknown> {
  const parsed = tryParseResourceId(id);
  if (!parsed) throw new TypeError('no ARM id');
  const [namespace = '', ...types] = parsed.type.split('/');
  return {
    name: parsed.name,
    subscriptionId: parsed.subscriptionId ?? '',
    resourceGroupName: parsed.resourceGroup ?? '',
    provider: namespace,
    resourceType: { namespace, type: types.join('/') },
  };
}
