import { Environment } from '@marcbachmann/cel-js';
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
const programs = new Map<string, Compiled>();
const maxPrograms = 1000;

/**
 * Evaluates CEL over `self` and `secret`; `aso.parseResourceId(id)` takes an ARM id apart. Throws AZ_TERMINAL, naming the expression but no value, for one that cannot be
 * read or evaluated.
 */
export function evaluate(expression: string, self: unknown, secret: unknown = {}): unknown {
  try {
    let program = programs.get(expression);
    if (!program) {
      program = environment.parse(expression) as unknown as Compiled;
      if (programs.size >= maxPrograms) programs.clear();
      programs.set(expression, program);
    }
    return program({ self, secret, aso });
  } catch (error) {
    // The library's message may quote the values at fault; its first line up to a quotation is about the expression.
    const kind = error instanceof Error ? error.name : 'Error';
    throw new AzimuthError('AZ_TERMINAL', `The expression \`${expression}\` cannot be evaluated (${kind})`);
  }
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
