/** The process for expressions of users: it computes one job after another, and the operator ends it. */
import { createContext, Script } from 'node:vm';
import { checkExpression, evaluate, plainValue, type UserExpression } from '../../arm-kinds/export/expressions.ts';
import { AzimuthError } from '../../base/errors.ts';

/** An expression, and the type that it must have where a check can prove it. */
export type AskedExpression = UserExpression & { readonly yields?: 'bool' };

/** The expressions of one object, to check, or to evaluate with the variables. */
export interface ExpressionJob {
  readonly expressions: readonly AskedExpression[];
  readonly variables?: { readonly self: unknown; readonly secret: unknown };
}

/** The values, one for each expression, or the problem of the first invalid one. */
export type ExpressionAnswer = { readonly values: readonly unknown[] } | { readonly problem: string };

/** Milliseconds after which the process ends a job by itself, in case the operator has ended. */
const maxMs = 10_000;
const room: { work?: () => unknown } = createContext({});
const call = new Script('work()');

if (import.meta.main) {
  process.on('message', (job: ExpressionJob) => process.send?.(answerTo(job)));
  process.on('disconnect', () => process.exit(0));
  process.send?.('ready');
}

function answerTo({ expressions, variables }: ExpressionJob): ExpressionAnswer {
  let where = '';
  room.work = () =>
    expressions.map((asked) => {
      where = asked.where;
      if (variables === undefined) return checkExpression(asked, asked.yields);
      return plainValue(evaluate(asked, variables));
    });
  try {
    return { values: call.runInContext(room, { timeout: maxMs }) as unknown[] };
  } catch (error) {
    // The message of any other error may quote values.
    const problem = `${where}: the expression cannot be evaluated: it or its value is too long or nested too deep`;
    return { problem: error instanceof AzimuthError ? error.message : problem };
  }
}
