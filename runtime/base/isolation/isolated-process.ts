import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { FairQueue } from '../fairness/fair-queue.ts';

/** The program and limits of an isolated process. */
export interface IsolatedProcessOptions {
  /**
   * File of the program. It sends one message when it is ready, then one answer for each job, and exits when its
   * channel closes.
   */
  readonly program: string;
  /** Milliseconds that one job may take. @default 2000 */
  readonly maxMs?: number;
  /** Limit of V8's heap in MiB. @default 32 */
  readonly heapMebibytes?: number;
  /** Bytes that a job may add to the resident memory of the ready process. @default 48 MiB */
  readonly jobBytes?: number;
  /** Milliseconds without a job after which the process ends. @default 60000 */
  readonly idleMs?: number;
}

/** The result of one job: its answer, or the limit at which the process was ended. */
export type JobResult<Answer> =
  | { readonly answer: Answer; readonly ms: number }
  | { readonly exceeded: 'time' | 'memory'; readonly ms: number };

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
    this.#options = { maxMs: 2000, heapMebibytes: 32, jobBytes: 48 * 1024 * 1024, idleMs: 60_000, ...options };
  }

  /**
   * Computes a job once it is the namespace's turn. Rejects with the signal's reason, and with a plain Error where the
   * process cannot start or was closed.
   */
  async run(namespace: string, job: Job, signal?: AbortSignal): Promise<JobResult<Answer>> {
    signal?.throwIfAborted();
    if (this.#closed) throw new Error('the program ends');
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
    for (let next = this.#queue.take(); next; next = this.#queue.take()) next.reject(new Error('the program ends'));
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
    const { maxMs, jobBytes } = this.#options;
    this.#child ??= start(this.#options);
    const child = await this.#child.catch((error: unknown) => {
      this.#child = undefined;
      throw error;
    });
    this.#readyMemory ||= memoryOf(child);
    const started = performance.now();
    const result = await new Promise<{ answer: Answer } | { exceeded: 'time' | 'memory' }>((resolve) => {
      const end = (value: { answer: Answer } | { exceeded: 'time' | 'memory' }) => {
        clearTimeout(timer);
        clearInterval(watch);
        child.removeAllListeners('message').removeAllListeners('exit');
        resolve(value);
      };
      const timer = setTimeout(() => end({ exceeded: 'time' }), maxMs);
      // V8 does not apply its own limit to a single long text.
      const most = this.#readyMemory + jobBytes;
      const watch = setInterval(() => memoryOf(child) > most && end({ exceeded: 'memory' }), 10);
      child.once('message', (message) => end({ answer: message as Answer }));
      // V8 ends the process at the limit of its heap.
      child.once('exit', () => end({ exceeded: 'memory' }));
      child.send(job as object, (error) => error && end({ exceeded: 'memory' }));
    });
    if ('exceeded' in result) this.#end();
    return { ...result, ms: performance.now() - started };
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

/** Resolves once the process has loaded its program. It gets no environment, no files and no output. */
function start({ program, heapMebibytes }: Required<IsolatedProcessOptions>): Promise<ChildProcess> {
  return new Promise((resolve, reject) => {
    const child = fork(program, [], {
      execArgv: [
        `--max-old-space-size=${heapMebibytes}`,
        '--max-semi-space-size=1',
        '--disable-warning=ExperimentalWarning',
      ],
      env: {},
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const failed = () => reject(new Error(`the process ${program} does not start`));
    child.on('error', failed);
    child.once('exit', failed);
    child.once('message', () => {
      child.removeAllListeners('exit');
      // Neither the child nor its channel keeps the program from exiting.
      child.unref();
      child.channel?.unref();
      resolve(child);
    });
  });
}
