import { fileURLToPath } from 'node:url';
import { maxExpressionLength, maxExpressions } from '../../api/common-schemas.ts';
import type { UserExpression } from '../../arm-kinds/export/expressions.ts';
import { type Clock, systemClock } from '../../base/clock.ts';
import { AzimuthError } from '../../base/errors.ts';
import { SharedLru } from '../../base/fairness/shared-lru.ts';
import { IsolatedProcess, noProcessor } from '../../base/isolation/isolated-process.ts';
import { TimeCredit } from '../../base/isolation/time-credit.ts';
import { moduleFile } from '../../base/process/module-file.ts';
import type { ExpressionAnswer, ExpressionJob, ExpressionResult } from './expression-program.ts';

/** Milliseconds that all expressions of one object may take together. */
const defaultMaxMs = 2000;
/** Limit of the cache of valid expressions, by text; namespaces share its room. */
const maxKnown = 500;
const ownProgram = fileURLToPath(moduleFile(import.meta.url, './expression-program.ts'));

/** Options of the process. */
export interface ExpressionProcessOptions {
  readonly clock?: Clock;
  /** Milliseconds that the expressions of one object may take together. @default 2000 */
  readonly maxMs?: number;
  /** Milliseconds after which they end in any case. @default four times as long */
  readonly waitMs?: number;
  /** Milliseconds of computing that a namespace may use at once. @default 5000 */
  readonly creditMs?: number;
  /** File of the program. @default the one beside this file */
  readonly program?: string;
}

/**
 * Evaluates expressions of users in a separate process, and ends that process if the expressions of one object take
 * too much time or memory: the operator keeps running (docs/adr/0028). Namespaces are served in turn; one that has
 * used up its time waits until it has some again.
 */
export class ExpressionProcess {
  readonly #maxMs: number;
  readonly #credit: TimeCredit;
  readonly #process: IsolatedProcess<ExpressionJob, ExpressionAnswer>;
  readonly #known = new SharedLru<true>(maxKnown);

  constructor(options: ExpressionProcessOptions = {}) {
    const { clock = systemClock, maxMs = defaultMaxMs, waitMs, creditMs, program = ownProgram } = options;
    this.#maxMs = maxMs;
    this.#credit = new TimeCredit(clock, creditMs);
    this.#process = new IsolatedProcess({ program, maxMs, ...(waitMs !== undefined && { waitMs }) });
  }

  /** Rejects with AZ_TERMINAL for an invalid expression, as `checkExpression` does. */
  async check(namespace: string, expressions: readonly UserExpression[]): Promise<void> {
    const key = ({ expression, seesSecrets, yields }: UserExpression) =>
      `${seesSecrets ? 'secret' : ''} ${yields ?? ''} ${expression}`;
    const fresh = bounded(expressions).filter((each) => !this.#known.get(key(each)));
    if (fresh.length === 0) return;
    valuesOf(await this.#run(namespace, { expressions: fresh }));
    for (const each of fresh) this.#known.set(key(each), true, namespace);
  }

  /**
   * The values, one for each expression, as `plainValue` returns them. Rejects with AZ_TERMINAL for an expression that
   * fails or takes too long, with AZ_BUDGET_SPENT when the namespace has to wait, and with AZ_ISOLATION where there is no
   * process.
   */
  async evaluate(
    namespace: string,
    expressions: readonly UserExpression[],
    variables: { readonly self: unknown; readonly secret?: unknown },
  ): Promise<readonly unknown[]> {
    return valuesOf(await this.evaluateEach(namespace, expressions, variables));
  }

  /** Like `evaluate`, with the problem in place of the value of each expression that fails by itself. */
  async evaluateEach(
    namespace: string,
    expressions: readonly UserExpression[],
    { self, secret = {} }: { readonly self: unknown; readonly secret?: unknown },
  ): Promise<readonly ExpressionResult[]> {
    if (expressions.length === 0) return [];
    const seesSecrets = expressions.some((each) => each.seesSecrets);
    const variables = { self, secret: seesSecrets ? secret : {} };
    return this.#run(namespace, { expressions: bounded(expressions), variables });
  }

  /** Ends the process, and rejects waiting jobs. */
  close(): void {
    this.#process.close();
  }

  async #run(namespace: string, job: ExpressionJob): Promise<readonly ExpressionResult[]> {
    const waitMs = this.#credit.waitMs(namespace);
    if (waitMs > 0) {
      const message = 'The expressions of this namespace have used up their time: make those that take long simpler';
      throw new AzimuthError('AZ_BUDGET_SPENT', message, { retryAfterMs: waitMs });
    }
    const answer = await this.#compute(namespace, job);
    if ('problem' in answer) throw new AzimuthError('AZ_TERMINAL', answer.problem);
    return answer.results;
  }

  async #compute(namespace: string, job: ExpressionJob): Promise<ExpressionAnswer> {
    const result = await this.#process.run(namespace, job);
    this.#credit.spend(namespace, result.ms);
    if ('answer' in result) return result.answer;
    if (result.exceeded === 'processor') throw noProcessor();
    const problem =
      result.exceeded === 'time' ? `take too long to evaluate, more than ${this.#maxMs} ms` : 'need too much memory';
    return { problem: `The expressions of the object ${problem}: ${places(job)}` };
  }
}

/** Throws AZ_TERMINAL for the first one with a problem. */
function valuesOf(results: readonly ExpressionResult[]): readonly unknown[] {
  return results.map((result) => {
    if ('problem' in result) throw new AzimuthError('AZ_TERMINAL', result.problem);
    return result.value;
  });
}

/** Lists the places of a job's expressions in the spec, for messages. */
function places({ expressions }: ExpressionJob): string {
  const shown = expressions.slice(0, 3).map(({ where }) => where);
  return expressions.length > shown.length
    ? `${shown.join(', ')} and ${expressions.length - shown.length} more`
    : shown.join(', ');
}

/** Of two lists of values, of their labels and annotations, and of the readiness. */
const most = 10 * maxExpressions;

/** Throws AZ_TERMINAL for too long or too many expressions, which an object older than the schema's limits may have. */
function bounded(expressions: readonly UserExpression[]): readonly UserExpression[] {
  const long = expressions.find(({ expression }) => expression.length > maxExpressionLength);
  if (long) {
    const message = `${long.where}: the expression has ${long.expression.length} of at most ${maxExpressionLength} characters`;
    throw new AzimuthError('AZ_TERMINAL', message);
  }
  if (expressions.length <= most) return expressions;
  throw new AzimuthError('AZ_TERMINAL', `The object has ${expressions.length} of at most ${most} expressions`);
}
