import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';
import { AzimuthError } from '../../../base/errors.ts';
import { moduleFile } from '../../../base/process/module-file.ts';
import { type ChildNode, spawnNode } from './child-node.ts';

const READY_LIMIT_MS = 180_000;
const POLL_MS = 100;
const STOP_LIMIT_MS = 15_000;
/** Characters of a program's last output in the error about its end, because the log may be deleted by then. */
const LAST_OUTPUT = 2000;

const sourceBin = fileURLToPath(moduleFile(import.meta.url, '../../azimuth.ts'));

/** How a program is started. */
export interface ProcessStart {
  /** @default the program that this process is a part of */
  readonly bin?: string | undefined;
  /** A command before it. @default none */
  readonly launcher?: readonly string[];
}

/** `azimuth <args>` as a child that never outlives this process, with its output in a file. */
export class ProgramProcess {
  readonly #program: string;
  readonly logFile: string;
  readonly #child: ChildNode;
  readonly #exit: Promise<void>;
  #lastOutput = '';

  constructor(
    args: readonly string[],
    env: Readonly<Record<string, string>>,
    logFile: string,
    { bin = sourceBin, launcher = [] }: ProcessStart = {},
  ) {
    this.logFile = logFile;
    this.#program = `azimuth ${args[0]}`;
    this.#child = spawnNode(
      ['--disable-warning=ExperimentalWarning', bin, ...args],
      { ...compileCache(), ...env },
      launcher,
    );
    const log = createWriteStream(logFile);
    this.#child.stdout.pipe(log, { end: false });
    this.#child.stderr.pipe(log, { end: false });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream.on('data', (data: Buffer) => {
        this.#lastOutput = (this.#lastOutput + data.toString()).slice(-LAST_OUTPUT);
      });
    }
    this.#exit = once(this.#child, 'exit').then(() => void log.end());
  }

  /** Undefined where the process could not be started. */
  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Resolves when `/readyz` answers 200. @throws AzimuthError when the program ends or takes too long */
  async ready(healthPort: number): Promise<void> {
    const deadline = performance.now() + READY_LIMIT_MS;
    let last = 'no answer';
    while (performance.now() < deadline) {
      this.#assertAlive();
      try {
        const answer = await fetch(`http://127.0.0.1:${healthPort}/readyz`);
        last = (await answer.text()).trim();
        if (answer.ok) return;
      } catch (error) {
        last = String(error);
      }
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    throw new AzimuthError('AZ_TERMINAL', `${this.#program} was not ready in time (${last}); see ${this.logFile}`);
  }

  /** Rejects when the program ends before `stop` is called. */
  async failure(signal: AbortSignal): Promise<never> {
    await Promise.race([this.#exit, signal.aborted ? undefined : once(signal, 'abort')]);
    if (!signal.aborted) this.#assertAlive();
    throw signal.reason;
  }

  /** Sends SIGTERM, and SIGKILL if the program does not end. */
  async stop(): Promise<void> {
    if (this.#ended()) return;
    this.#child.kill('SIGTERM');
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), STOP_LIMIT_MS);
    await this.#exit;
    clearTimeout(timer);
  }

  #ended(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  #assertAlive(): void {
    if (!this.#ended()) return;
    const how = this.#child.exitCode ?? this.#child.signalCode;
    throw new AzimuthError(
      'AZ_TERMINAL',
      `${this.#program} ended with ${how}; see ${this.logFile}. Its last output:\n${this.#lastOutput}`,
    );
  }
}

/** The directory of this process's compile cache, if it has one: Node 20 has none. */
function compileCache(): Record<string, string> {
  const directory = nodeModule.getCompileCacheDir?.();
  if (directory === undefined) return {};
  nodeModule.flushCompileCache?.();
  return { NODE_COMPILE_CACHE: directory };
}
