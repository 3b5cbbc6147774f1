import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { maxExpressionLength, maxExpressions } from '../../api/common-schemas.ts';
import { type Clock, systemClock } from '../../base/clock.ts';
import { AzimuthError } from '../../base/errors.ts';
import { FairQueue } from '../../base/fairness/fair-queue.ts';
import type { AskedExpression, ExpressionAnswer, ExpressionJob } from './expression-program.ts';
import { TimeCredit } from './time-credit.ts';

/** Milliseconds that all expressions of one object may take together. */
const maxMs = 2000;
/** Milliseconds without work after which the process ends. */
const idleMs = 60_000;
/** Limit of the cache of valid expressions, by text. */
const maxKnown = 500;
/** An expression may build values of any size; V8 ends the process at this limit. */
const execArgv = ['--max-old-space-size=32', '--max-semi-space-size=1', '--disable-warning=ExperimentalWarning'];
/** Bytes that a job may add to the memory of the ready process, which is about 51 MiB. */
const jobMemory = 48 * 1024 * 1024;
/** The bundle has the program beside its other files (tools/bundle.ts). */
const program = fileURLToPath(
  new URL(`./expression-program.${import.meta.url.endsWith('.ts') ? 'ts' : 'mjs'}`, import.meta.url),
);

/** Options of the process. */
export interface ExpressionProcessOptions {
  readonly clock?: Clock;
  /** Milliseconds that the expressions of one object may take together. @default 2000 */
  readonly maxMs?: number;
}

interface Waiting {
  readonly namespace: string;
  readonly job: ExpressionJob;
  readonly settle: (answer: ExpressionAnswer) => void;
}

/**
 * Evaluates expressions of users in a separate process, and ends that process if the expressions of one object take
 * too much time or memory: the operator keeps running (docs/adr/0028). Namespaces are served in turn; one that has
 * used up its time waits until it has some again.
 */
export class ExpressionProcess {
  readonly #maxMs: number;
  readonly #credit: TimeCredit;
  readonly #queue = new FairQueue<Waiting>();
  readonly #known = new Set<string>();
  #child: Promise<ChildProcess> | undefined;
  #readyMemory = 0;
  #busy = false;
  #idle: NodeJS.Timeout | undefined;
  #closed = false;

  constructor({ clock = systemClock, maxMs: most = maxMs }: ExpressionProcessOptions = {}) {
    this.#maxMs = most;
    this.#credit = new TimeCredit(clock);
  }

  /** Rejects with AZ_TERMINAL for an invalid expression, as `checkExpression` does. */
  async check(namespace: string, expressions: readonly AskedExpression[]): Promise<void> {
    const key = ({ expression, seesSecrets, yields }: AskedExpression) =>
      `${seesSecrets ? 'secret' : ''} ${yields ?? ''} ${expression}`;
    const fresh = bounded(expressions).filter((each) => !this.#known.has(key(each)));
    if (fresh.length === 0) return;
    await this.#run(namespace, { expressions: fresh });
    for (const each of fresh) {
      if (this.#known.size >= maxKnown) this.#known.clear();
      this.#known.add(key(each));
    }
  }

  /**
   * The values, one for each expression, as `plainValue` returns them. Rejects with AZ_TERMINAL for an expression that
   * fails or takes too long, and with AZ_BUDGET_SPENT when the namespace has to wait.
   */
  async evaluate(
    namespace: string,
    expressions: readonly AskedExpression[],
    { self, secret = {} }: { readonly self: unknown; readonly secret?: unknown },
  ): Promise<readonly unknown[]> {
    if (expressions.length === 0) return [];
    const seesSecrets = expressions.some((each) => each.seesSecrets);
    const variables = { self, secret: seesSecrets ? secret : {} };
    return this.#run(namespace, { expressions: bounded(expressions), variables });
  }

  /** Ends the process, and rejects waiting jobs. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#idle);
    for (let next = this.#queue.take(); next; next = this.#queue.take()) next.settle({ problem: 'the operator ends' });
    this.#end();
  }

  async #run(namespace: string, job: ExpressionJob): Promise<readonly unknown[]> {
    if (this.#closed) throw new AzimuthError('AZ_BUDGET_SPENT', 'The operator is ending: no expression is evaluated');
    const waitMs = this.#credit.waitMs(namespace);
    if (waitMs > 0) {
      const message = 'The expressions of this namespace have used up their time: make those that take long simpler';
      throw new AzimuthError('AZ_BUDGET_SPENT', message, { retryAfterMs: waitMs });
    }
    const answer = await new Promise<ExpressionAnswer>((settle) => {
      this.#queue.add(namespace, { namespace, job, settle });
      void this.#next();
    });
    if ('problem' in answer) throw new AzimuthError('AZ_TERMINAL', answer.problem);
    return answer.values;
  }

  async #next(): Promise<void> {
    if (this.#busy || this.#closed) return;
    const next = this.#queue.take();
    if (!next) return;
    this.#busy = true;
    clearTimeout(this.#idle);
    try {
      next.settle(await this.#compute(next));
    } catch (error) {
      next.settle({
        problem: `The expressions of the object cannot be evaluated (${error instanceof Error ? error.name : 'Error'})`,
      });
    } finally {
      this.#busy = false;
      this.#idle = setTimeout(() => this.#end(), idleMs).unref();
    }
    void this.#next();
  }

  async #compute({ namespace, job }: Waiting): Promise<ExpressionAnswer> {
    this.#child ??= start();
    const child = await this.#child.catch((error: unknown) => {
      this.#child = undefined;
      throw error;
    });
    this.#readyMemory ||= memoryOf(child);
    const started = performance.now();
    const answer = await new Promise<ExpressionAnswer | 'late' | 'dead'>((resolve) => {
      const end = (result: ExpressionAnswer | 'late' | 'dead') => {
        clearTimeout(timer);
        clearInterval(watch);
        child.removeAllListeners('message').removeAllListeners('exit');
        resolve(result);
      };
      const timer = setTimeout(() => end('late'), this.#maxMs);
      // V8 does not apply its own limit to a single long text.
      const most = this.#readyMemory + jobMemory;
      const watch = setInterval(() => memoryOf(child) > most && end('dead'), 10);
      child.once('message', (message) => end(message as ExpressionAnswer));
      child.once('exit', () => end('dead'));
      child.send(job, (error) => error && end('dead'));
    });
    this.#credit.spend(namespace, performance.now() - started);
    if (typeof answer === 'object') return answer;
    this.#end();
    const problem =
      answer === 'late' ? `take too long to evaluate, more than ${this.#maxMs} ms` : 'need too much memory';
    return { problem: `The expressions of the object ${problem}: ${places(job)}` };
  }

  #end(): void {
    const ending = this.#child;
    this.#child = undefined;
    void ending?.then((child) => child.kill('SIGKILL')).catch(() => undefined);
  }
}

/** Resident bytes; 0 where the system does not report them, or the process has ended. */
function memoryOf({ pid }: ChildProcess): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * 4096;
  } catch {
    return 0;
  }
}

/**
 * Resolves once the process has loaded its program. It has no access to the operator's environment, files and output.
 */
function start(): Promise<ChildProcess> {
  return new Promise((resolve, reject) => {
    const child = fork(program, [], {
      execArgv,
      env: {},
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const failed = () => reject(new Error('the process for expressions does not start'));
    child.on('error', failed);
    child.once('exit', failed);
    child.once('message', () => {
      child.removeAllListeners('exit');
      // Neither the child nor its channel keeps the operator from exiting.
      child.unref();
      child.channel?.unref();
      resolve(child);
    });
  });
}

/** Lists the places of a job's expressions in the spec, for messages. */
function places({ expressions }: ExpressionJob): string {
  const shown = expressions.slice(0, 3).map(({ where }) => where);
  return expressions.length > shown.length
    ? `${shown.join(', ')} and ${expressions.length - shown.length} more`
    : shown.join(', ');
}

/** Throws AZ_TERMINAL for too long or too many expressions, which an object older than the schema's limits may have. */
function bounded(expressions: readonly AskedExpression[]): readonly AskedExpression[] {
  const long = expressions.find(({ expression }) => expression.length > maxExpressionLength);
  if (long) {
    const message = `${long.where}: the expression has ${long.expression.length} of at most ${maxExpressionLength} characters`;
    throw new AzimuthError('AZ_TERMINAL', message);
  }
  const most = 2 * maxExpressions + 1;
  if (expressions.length <= most) return expressions;
  throw new AzimuthError('AZ_TERMINAL', `The object has ${expressions.length} of at most ${most} expressions`);
}
