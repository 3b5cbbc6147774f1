import { chmodSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { AzimuthError, expected, messageOf } from '../../base/errors.ts';
import { type AgentAnswer, packed } from '../driver/agent-client.ts';
import { failureMessage } from '../driver/driver-message.ts';
import type { MountCall } from '../driver/mount-request.ts';
import type { VolumeContent } from '../mount/mount.ts';

export interface AgentServerOptions {
  /** Path of the socket. Its directory is made 0700: only root may come in, and root is whom the agent trusts. */
  readonly socket: string;
  readonly content: (call: MountCall, signal: AbortSignal) => Promise<VolumeContent>;
  /** Called after each answer. */
  readonly onAnswer: (call: MountCall, answer: AgentAnswer, ms: number) => void;
}

/** kubelet passes the options as an argument of a program, which is shorter. */
const mostBytes = 1024 * 1024;
/** A driver sends its request at once. */
const requestMs = 10_000;
/** `sun_path` of unix(7) has 108 bytes with the zero at its end. */
const longestPath = 107;

/** Where the drivers of a node ask. One request for each connection: a JSON document, ended by the end of the stream. */
export class AgentServer {
  readonly #options: AgentServerOptions;
  readonly #server: Server;
  readonly #connections = new Set<Socket>();

  constructor(options: AgentServerOptions) {
    this.#options = options;
    // The driver ends its side and waits.
    this.#server = createServer({ allowHalfOpen: true }, (socket) => void this.#serve(socket));
    this.#server.maxConnections = 1000;
  }

  /** Takes the place of an agent before: there is no moment without a socket. Throws AZ_CONFIG_INVALID. */
  async listen(): Promise<void> {
    const { socket } = this.#options;
    const fresh = `${socket}.${process.pid}`;
    if (Buffer.byteLength(fresh) > longestPath) {
      throw expected('the path of the agent socket', `at most ${longestPath - 12} bytes long`, socket);
    }
    const directory = dirname(socket);
    try {
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      // A directory that kubelet made for the pod is open to read.
      chmodSync(directory, 0o700);
      rmSync(fresh, { force: true });
      await new Promise<void>((resolve, reject) => {
        this.#server.once('error', reject).listen(fresh, resolve);
      });
      chmodSync(fresh, 0o600);
      renameSync(fresh, socket);
    } catch (cause) {
      throw new AzimuthError('AZ_CONFIG_INVALID', `The agent cannot listen at ${socket}: ${messageOf(cause)}`, {
        cause,
      });
    }
  }

  get listening(): boolean {
    return this.#server.listening;
  }

  /** Takes no more connections, lets mounts finish for a moment, then ends what is left: drivers then help themselves. */
  async close(graceMs = 5000): Promise<void> {
    if (!this.#server.listening) return;
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    await Promise.race([closed, delay(graceMs, undefined, { ref: false })]);
    for (const socket of this.#connections) socket.destroy();
    await closed;
  }

  async #serve(socket: Socket): Promise<void> {
    const gone = new AbortController();
    this.#connections.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => {
      this.#connections.delete(socket);
      gone.abort(new Error('the driver has gone'));
    });
    socket.setTimeout(requestMs, () => socket.destroy());
    const text = await read(socket);
    socket.setTimeout(0);
    const started = performance.now();
    const call = text === undefined ? undefined : callOf(text);
    // Nothing is said to who does not speak the protocol.
    if (!call) return void socket.destroy();
    const answer = await this.#answer(call, gone.signal);
    socket.end(JSON.stringify(answer));
    this.#options.onAnswer(call, answer, performance.now() - started);
  }

  async #answer(call: MountCall, signal: AbortSignal): Promise<AgentAnswer> {
    try {
      return { status: 'Success', content: packed(await this.#options.content(call, signal)) };
    } catch (error) {
      return { status: 'Failure', message: failureMessage(error, call.document) };
    }
  }
}

/** Undefined where it is too long, or cut. */
function read(socket: Socket): Promise<string | undefined> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    let length = 0;
    socket.on('data', (part) => {
      parts.push(part);
      length += part.length;
      if (length > mostBytes) resolve(undefined);
    });
    socket.once('end', () => resolve(Buffer.concat(parts).toString('utf8')));
    socket.once('close', () => resolve(undefined));
  });
}

function callOf(text: string): MountCall | undefined {
  try {
    const { directory, document } = JSON.parse(text) as Record<string, unknown>;
    return typeof directory === 'string' && typeof document === 'string' ? { directory, document } : undefined;
  } catch {
    return undefined;
  }
}
