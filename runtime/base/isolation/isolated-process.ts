import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';
import { basename } from 'node:path';
import { AzimuthError } from '../errors.ts';
import { FairQueue } from '../fairness/fair-queue.ts';
import { scavengeInOneThread } from '../process/heap.ts';

/** The program and limits of an isolated process. */
export interface IsolatedProcessOptions {
  /**
   * File of the program. It sends one message when it is ready, then one answer for each job, and exits when its
   * channel closes.
   */
  readonly program: string;
  /** Milliseconds that one job may compute. @default 2000 */
  readonly maxMs?: number;
  /** Milliseconds after which a job is ended in any case. @default four times as long as it may compute */
  readonly waitMs?: number;
  /** Limit of V8's heap in MiB. @default 32 */
  readonly heapMebibytes?: number;
  /** Bytes that a job may add to the resident memory of the ready process. @default 48 MiB */
  readonly jobBytes?: number;
  /** Milliseconds without a job after which the process ends. @default 60000 */
  readonly idleMs?: number;
}

/**
 * The result of one job: its answer, or the limit at which the process was ended. `processor`: it waited for one, which
 * says nothing about the job. `ms`: its cost.
 */
export type JobResult<Answer> = Ended<Answer> & { readonly ms: number };

type Ended<Answer> = { readonly answer: Answer } | { readonly exceeded: 'time' | 'memory' | 'processor' };

/** The error of a job that was ended because it got no processor. */
export function noProcessor(): AzimuthError {
  const message = 'The process got no processor for so long that it was ended: the node is too busy';
  return new AzimuthError('AZ_ISOLATION', message);
}

const ending = () => new AzimuthError('AZ_ISOLATION', 'The program ends, and its process with it');

interface Waiting<Job, Answer> {
  readonly job: Job;
  readonly resolve: (result: JobResult<Answer>) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Computes jobs of tenants in a child process, and kills it with SIGKILL when a job takes too much time or memory. The
 * next job gets a new process. One job runs at a time; namespaces are served in rotation. Reasons for a process in
 * place of a thread are in docs/adr/0028 and docs/adr/0032.
 */
export class IsolatedProcess<Job, Answer> {
  readonly #options: Required<IsolatedProcessOptions>;
  readonly #queue = new FairQueue<Waiting<Job, Answer>>();
  #child: Promise<ChildProcess> | undefined;
  #readyMemory = 0;
  #busy = false;
  #idle: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: IsolatedProcessOptions) {
    const { maxMs = 2000, waitMs = maxMs * waitFactor } = options;
    const defaults = { heapMebibytes: 32, jobBytes: 48 * 1024 * 1024, idleMs: 60_000 };
    this.#options = { ...defaults, ...options, maxMs, waitMs };
  }

  /**
   * Computes a job once it is the namespace's turn. Rejects with the signal's reason, and with AZ_ISOLATION where the
   * process cannot start or was closed.
   */
  async run(namespace: string, job: Job, signal?: AbortSignal): Promise<JobResult<Answer>> {
    signal?.throwIfAborted();
    if (this.#closed) throw ending();
    const ended = new AbortController();
    const result = new Promise<JobResult<Answer>>((resolve, reject) => {
      const abort = () => {
        this.#queue.delete(namespace, waiting);
        reject(signal?.reason);
      };
      const waiting: Waiting<Job, Answer> = { job, resolve, reject };
      signal?.addEventListener('abort', abort, { once: true, signal: ended.signal });
      this.#queue.add(namespace, waiting);
      void this.#next();
    });
    return result.finally(() => ended.abort());
  }

  /** Ends the process, and rejects waiting jobs. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#idle);
    for (let next = this.#queue.take(); next; next = this.#queue.take()) next.reject(ending());
    this.#end();
  }

  async #next(): Promise<void> {
    if (this.#busy || this.#closed) return;
    const next = this.#queue.take();
    if (!next) return;
    this.#busy = true;
    clearTimeout(this.#idle);
    try {
      next.resolve(await this.#compute(next.job));
    } catch (error) {
      next.reject(error);
    } finally {
      this.#busy = false;
      this.#idle = setTimeout(() => this.#end(), this.#options.idleMs).unref();
    }
    void this.#next();
  }

  async #compute(job: Job): Promise<JobResult<Answer>> {
    const { maxMs, waitMs, jobBytes } = this.#options;
    this.#child ??= start(this.#options);
    const child = await this.#child.catch((error: unknown) => {
      this.#child = undefined;
      throw error;
    });
    this.#readyMemory ||= memoryOf(child);
    const started = performance.now();
    const startedCpu = cpuMsOf(child);
    const elapsed = () => performance.now() - started;
    // Where the system does not report it, all of the time counts. The system counts in ticks.
    const computed = () => Math.min(elapsed(), cpuMsOf(child) - startedCpu + tickMs || Number.POSITIVE_INFINITY);
    const result = await new Promise<Ended<Answer>>((resolve) => {
      const end = (value: Ended<Answer>) => {
        clearInterval(watch);
        child.removeAllListeners('message').removeAllListeners('exit');
        resolve(value);
      };
      // V8 does not apply its own limit to a single long text.
      const most = this.#readyMemory + jobBytes;
      const watch = setInterval(() => {
        if (memoryOf(child) > most) end({ exceeded: 'memory' });
        else if (elapsed() >= maxMs && computed() >= maxMs) end({ exceeded: 'time' });
        else if (elapsed() >= waitMs) end({ exceeded: 'processor' });
      }, 10);
      child.once('message', (message) => end({ answer: message as Answer }));
      // V8 ends the process at the limit of its heap.
      child.once('exit', () => end({ exceeded: 'memory' }));
      child.send(job as object, (error) => error && end({ exceeded: 'memory' }));
    });
    if (this.#closed) throw ending();
    const isLate = 'exceeded' in result && result.exceeded === 'time';
    const ms = Math.max(computed(), isLate ? maxMs : 0);
    if ('exceeded' in result) this.#end();
    return { ...result, ms };
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

/** Milliseconds of one tick, in which the system reports computing time. */
const tickMs = 10;
/** A job may wait for a processor: a busy node gives a process of low priority a tenth of one, or less. */
const waitFactor = 4;

/** Milliseconds for which a process has computed; NaN where the system does not report it, or the process has ended. */
function cpuMsOf({ pid }: ChildProcess): number {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // Behind the name, which may have blanks: the 14th and 15th member, for the program and for the system.
    const members = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return (Number(members[11]) + Number(members[12])) * tickMs;
  } catch {
    return Number.NaN;
  }
}

/** The program goes before its child: both share the processors of one pod. */
function lowerPriority({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL));
  } catch {
    // The process has ended already, or the system has no priorities.
  }
}

/** Resolves once the process has loaded its program. It gets no environment, no files and no output. */
function start({ program, heapMebibytes }: Required<IsolatedProcessOptions>): Promise<ChildProcess> {
  return new Promise((resolve, reject) => {
    const child = fork(program, [], {
      execArgv: [
        `--max-old-space-size=${heapMebibytes}`,
        '--max-semi-space-size=1',
        scavengeInOneThread,
        '--disable-warning=ExperimentalWarning',
      ],
      env: {},
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const failed = (why: string) => {
      const message = `The process ${basename(program)} does not start (${why}): the node may lack memory or processes`;
      reject(new AzimuthError('AZ_ISOLATION', message));
    };
    lowerPriority(child);
    child.on('error', ({ message }) => failed(message));
    child.once('exit', (code, signal) => failed(signal ?? `exit code ${code}`));
    child.once('message', () => {
      child.removeAllListeners('exit');
      // Neither the child nor its channel keeps the program from exiting.
      child.unref();
      child.channel?.unref();
      resolve(child);
    });
  });
}
