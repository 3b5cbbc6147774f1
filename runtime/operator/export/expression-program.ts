/** The process for expressions of users: it computes one job after another, and the operator ends it. */
import { createContext, Script } from 'node:vm';
import { checkExpression, evaluate, plainValue, type UserExpression } from '../../arm-kinds/export/expressions.ts';
import { AzimuthError } from '../../base/errors.ts';

/** The expressions of one object, to check, or to evaluate with the variables. */
export interface ExpressionJob {
  readonly expressions: readonly UserExpression[];
  readonly variables?: { readonly self: unknown; readonly secret: unknown };
}

/** The value of one expression, or its problem. */
export type ExpressionResult = { readonly value: unknown } | { readonly problem: string };

/** One result for each expression, or the problem of all of them together. */
export type ExpressionAnswer = { readonly results: readonly ExpressionResult[] } | { readonly problem: string };

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
    expressions.map((asked): ExpressionResult => {
      where = asked.where;
      try {
        if (variables === undefined) return { value: checkExpression(asked) };
        return { value: plainValue(evaluate(asked, variables)) };
      } catch (error) {
        return { problem: problemOf(error, where) };
      }
    });
  try {
    return { results: call.runInContext(room, { timeout: maxMs }) as ExpressionResult[] };
  } catch (error) {
    return { problem: problemOf(error, where) };
  }
}

/** The message of any error that is not our own may quote values. */
function problemOf(error: unknown, where: string): string {
  if (error instanceof AzimuthError) return error.message;
  return `${where}: the expression cannot be evaluated: it or its value is too long or nested too deep`;
}
