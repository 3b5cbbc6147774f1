import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { type Clock, systemClock } from '../../base/clock.ts';

/** The route of an address, as `ip route get fibmatch` prints it. */
export interface RouteAnswer {
  readonly device: string;
  /** False for the default route, for an address of the node itself, and where there is no route. */
  readonly pod: boolean;
}

/** The process that answers, and its limits. */
export interface IpQueriesOptions {
  /** Shell command that reads and answers lines as `ip -force -oneline -batch -` does. @default that of iproute2 */
  readonly command?: string;
  /** Milliseconds without any answer after which the process counts as broken. @default 1000 */
  readonly limitMs?: number;
  readonly clock?: Clock;
}

interface Query {
  readonly resolve: (answer: string) => void;
  readonly reject: (error: Error) => void;
  /** Whether a line of the output is the answer. */
  readonly answers: (line: string) => boolean;
}

type Process = ChildProcessByStdio<Writable, Readable, null>;

/** Pause after a broken process, milliseconds. */
const pauseMs = 1000;
const failure = /^Command failed -:(\d+)$/;
const noNeighbour = 'Error: Neighbour entry not found.';
const noRoute = 'RTNETLINK answers: Network is unreachable';
const nothing = [noNeighbour, noRoute];
const routeLine = /^(?:([a-z]+) )?(default|[0-9a-f.:]+(?:\/\d+)?) (?:.* )?dev (\S+)/;
const neighbourMac = /^\S+ dev \S+ lladdr ([0-9a-f:]+) /;

/**
 * Asks the kernel about single addresses, by a process of iproute2 that stays: Node has no netlink. The questions of
 * one iteration of the event loop leave together. A question rejects where the process is broken or gives any answer
 * other than those below; the next question after a pause starts a new process.
 */
export class IpQueries {
  readonly #command: string;
  readonly #limitMs: number;
  readonly #clock: Clock;
  #process: Process | undefined;
  #pausedUntil = 0;
  /** Questions in the order in which the process answers them. */
  #asked: Query[] = [];
  #unsent = '';
  /** Lines that the process has answered. */
  #answered = 0;
  #partial = '';
  /** Text of the error that the next "Command failed" ends. */
  #error = '';
  #timer: NodeJS.Timeout | undefined;

  constructor({
    command = 'exec ip -force -oneline -batch - 2>&1',
    limitMs = 1000,
    clock = systemClock,
  }: IpQueriesOptions = {}) {
    this.#command = command;
    this.#limitMs = limitMs;
    this.#clock = clock;
  }

  /** The route of an address in its canonical spelling; without a device where there is none. */
  async route(address: string): Promise<RouteAnswer> {
    const line = await this.#ask(`route get fibmatch ${address}`, (text) => text === noRoute || routeLine.test(text));
    const [, type, destination, device = ''] = routeLine.exec(line) ?? [];
    return { device, pod: device !== '' && type === undefined && destination !== 'default' };
  }

  /** The MAC of the neighbour with the address on the interface; undefined where the kernel knows none. */
  async neighbour(address: string, device: string): Promise<string | undefined> {
    const answers = (text: string) => text === noNeighbour || text.startsWith(`${address} dev `);
    const line = await this.#ask(`neigh get ${address} dev ${device}`, answers);
    return line.includes(' NOARP') ? undefined : neighbourMac.exec(line)?.[1];
  }

  /** Ends the process; later questions reject. */
  close(): void {
    this.#pausedUntil = Number.POSITIVE_INFINITY;
    this.#end(new Error('closed'));
  }

  #ask(command: string, answers: Query['answers']): Promise<string> {
    if (!this.#process && this.#clock.monotonic() < this.#pausedUntil) return Promise.reject(new Error('ip is broken'));
    return new Promise((resolve, reject) => {
      if (this.#unsent === '') setImmediate(() => this.#send());
      this.#unsent += `${command}\n`;
      this.#asked.push({ resolve, reject, answers });
    });
  }

  #send(): void {
    const text = this.#unsent;
    this.#unsent = '';
    if (this.#asked.length === 0) return;
    this.#process ??= this.#start();
    this.#process.stdin.write(text);
    this.#timer ??= this.#watch(this.#answered);
  }

  #start(): Process {
    const child = spawn('/bin/sh', ['-c', this.#command], {
      stdio: ['pipe', 'pipe', 'ignore'],
      env: { PATH: process.env['PATH'], LC_ALL: 'C' },
    });
    const broken = (error: Error) => {
      if (this.#process === child) this.#end(error);
    };
    child.once('error', broken).once('exit', () => broken(new Error('ip ended')));
    child.stdin.on('error', broken);
    child.stdout.setEncoding('latin1').on('data', (part: string) => {
      if (this.#process === child) this.#read(part);
    });
    for (const handle of [child, child.stdin as unknown as Socket, child.stdout as unknown as Socket]) handle.unref();
    return child;
  }

  #watch(answered: number): NodeJS.Timeout {
    return setTimeout(() => {
      this.#timer = undefined;
      if (this.#asked.length === 0) return;
      if (this.#answered === answered) this.#end(new Error('ip does not answer'));
      else this.#timer = this.#watch(this.#answered);
    }, this.#limitMs).unref();
  }

  #read(part: string): void {
    const lines = (this.#partial + part).split('\n');
    this.#partial = lines.pop() ?? '';
    for (const line of lines) this.#readLine(line);
  }

  #readLine(line: string): void {
    const [query] = this.#asked;
    const failed = failure.exec(line);
    if (!query || (!failed && !query.answers(line)) || nothing.includes(line)) {
      this.#error = line;
      return;
    }
    this.#answered++;
    if (failed && (Number(failed[1]) !== this.#answered || !query.answers(this.#error))) {
      // An old program or kernel, a name that the process has cached, or lines out of step.
      this.#end(new Error(this.#error));
      return;
    }
    this.#asked.shift();
    query.resolve(failed ? this.#error : line);
    this.#error = '';
  }

  #end(error: Error): void {
    const [child, asked] = [this.#process, this.#asked];
    this.#process = undefined;
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#clock.monotonic() + pauseMs);
    [this.#asked, this.#unsent, this.#answered, this.#partial, this.#error] = [[], '', 0, '', ''];
    clearTimeout(this.#timer);
    this.#timer = undefined;
    child?.kill('SIGKILL');
    for (const query of asked) query.reject(error);
  }
}
