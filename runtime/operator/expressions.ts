import { createContext, Script } from 'node:vm';
import { Environment } from '@marcbachmann/cel-js';
import type { AzureNames } from '../api/key-vault-outputs.ts';
import { tryParseResourceId } from '../azure/resource-ids.ts';
import { AzimuthError } from '../base/errors.ts';

type Compiled = (context: Record<string, unknown>) => unknown;

/** The namespace of ASO v2's own functions. */
class AsoFunctions {}
const aso = new AsoFunctions();

const environment = new Environment({ homogeneousAggregateLiterals: false, enableOptionalTypes: true })
  .registerVariable('self', 'dyn')
  .registerVariable('secret', 'dyn')
  .registerType('AsoFunctions', AsoFunctions)
  .registerVariable('aso', 'AsoFunctions')
  .registerFunction('AsoFunctions.parseResourceId(string): map', (_: AsoFunctions, id: string) => resourceIdParts(id));

/** Of the CEL of v1's keys (runtime/api/key-vault-outputs.ts), which needs more than expressions of users. */
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
const programs = new Map<string, Compiled>();
const outputPrograms = new Map<string, Compiled>();
const maxPrograms = 1000;

/** Milliseconds that an expression of a user's may take: loops within loops, and patterns, can take for ever. */
const maxMs = 2000;
const room: { work?: () => unknown } = {};
const call = new Script('work()');
createContext(room);

/**
 * Evaluates CEL over `self` and `secret`; `aso.parseResourceId(id)` takes an ARM id apart. Throws AZ_TERMINAL, naming the
 * expression but no value, for one that cannot be read or evaluated, or not in time.
 */
export function evaluate(expression: string, self: unknown, secret: unknown = {}): unknown {
  try {
    const program = compiled(expression, environment);
    room.work = () => program({ self, secret, aso });
    return call.runInContext(room, { timeout: maxMs });
  } catch (error) {
    const late = (error as { readonly code?: unknown } | null)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
    if (late) throw new AzimuthError('AZ_TERMINAL', `The expression \`${expression}\` takes too long to evaluate`);
    // The library's message may quote the values at fault; its first line up to a quotation is about the expression.
    const kind = error instanceof Error ? error.name : 'Error';
    throw new AzimuthError('AZ_TERMINAL', `The expression \`${expression}\` cannot be evaluated (${kind})`);
  } finally {
    delete room.work;
  }
}

/** What the CEL of one of v1's keys sees. */
export interface OutputVariables {
  readonly self: unknown;
  readonly secret: unknown;
  readonly input: Readonly<Record<string, unknown>>;
  readonly azure: AzureNames;
}

/** The value of one of v1's keys; undefined while Azure does not show yet what it is made of. */
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
  const known = language === outputs ? outputPrograms : programs;
  let program = known.get(expression);
  if (!program) {
    program = language.parse(expression) as unknown as Compiled;
    if (known.size >= maxPrograms) known.clear();
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
