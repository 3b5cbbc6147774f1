import { Environment } from '@marcbachmann/cel-js';
import { AzimuthError } from '../base/errors.ts';

type Compiled = (context: Record<string, unknown>) => unknown;

const environment = new Environment({ homogeneousAggregateLiterals: false, enableOptionalTypes: true })
  .registerVariable('self', 'dyn')
  .registerVariable('secret', 'dyn');
const programs = new Map<string, Compiled>();
const maxPrograms = 1000;

/**
 * Evaluates CEL over `self` and `secret`. Throws AZ_TERMINAL, naming the expression but no value, for one that cannot be
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
    return program({ self, secret });
  } catch (error) {
    // The library's message may quote the values at fault; its first line up to a quotation is about the expression.
    const kind = error instanceof Error ? error.name : 'Error';
    throw new AzimuthError('AZ_TERMINAL', `The expression \`${expression}\` cannot be evaluated (${kind})`);
  }
}
