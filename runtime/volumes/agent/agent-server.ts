import { once } from 'node:events';
import { chmodSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { AzimuthError, expected, messageOf } from '../../base/errors.ts';
import { type AgentAnswer, successParts } from '../driver/agent-client.ts';
import { failureMessage } from '../driver/driver-message.ts';
import type { MountCall } from '../driver/mount-request.ts';
import type { VolumeContent } from '../mount/mount.ts';

/** Dependencies of the agent's socket server. */
export interface AgentServerDeps {
  /** Path of the socket. The agent sets its directory to 0700, because it trusts root only. */
  readonly socket: string;
  /** Reads the content of a volume, passes it to `deliver`, and resolves after that. */
  readonly mount: (
    call: MountCall,
    signal: AbortSignal,
    deliver: (content: VolumeContent) => Promise<void>,
  ) => Promise<void>;
  /** Called after each answer, with the reason of a failure. */
  readonly onAnswer: (call: MountCall, failure: string | undefined, ms: number) => void;
  /** Milliseconds between two line feeds, which show a driver that the agent is alive. @default 2000 */
  readonly heartbeatMs?: number;
}

/** kubelet passes the options as one program argument, which Linux limits to 128 KiB; JSON may double that. */
const mostBytes = 512 * 1024;
/** A driver takes each part of its answer at once. */
const stalledMs = 30_000;
/** A driver sends its request at once. */
const requestMs = 10_000;
/** `sun_path` of unix(7) has 108 bytes with the zero at its end. */
const longestPath = 107;

/** Answers the drivers of a node. One request for each connection: a JSON document, which ends with the stream. */
export class AgentServer {
  readonly #deps: AgentServerDeps;
  readonly #server: Server;
  readonly #connections = new Set<Socket>();

  constructor(deps: AgentServerDeps) {
    this.#deps = deps;
    // The driver half-closes the connection and waits.
    this.#server = createServer({ allowHalfOpen: true }, (socket) => void this.#serve(socket));
    this.#server.maxConnections = 1000;
  }

  /** Listens, replacing the socket of an earlier agent atomically. Throws AZ_CONFIG_INVALID. */
  async listen(): Promise<void> {
    const { socket } = this.#deps;
    const fresh = `${socket}.${process.pid}`;
    if (Buffer.byteLength(fresh) > longestPath) {
      throw expected('the path of the agent socket', `at most ${longestPath - 12} bytes long`, socket);
    }
    const directory = dirname(socket);
    try {
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      // A directory that kubelet created for the pod is readable for all.
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

  /**
   * Stops listening, waits a moment for mounts in progress, then closes all connections; drivers then read vaults
   * themselves.
   */
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
    // A client that does not speak the protocol gets no answer.
    if (!call) return void socket.destroy();
    const failure = await this.#answer(call, socket, gone.signal);
    this.#deps.onAnswer(call, failure, performance.now() - started);
  }

  /** Resolves to the reason of a failure. */
  async #answer(call: MountCall, socket: Socket, signal: AbortSignal): Promise<string | undefined> {
    const { mount, heartbeatMs = 2000 } = this.#deps;
    const heartbeat = setInterval(() => socket.write('\n'), heartbeatMs);
    try {
      socket.write('\n');
      await mount(call, signal, async (content) => {
        clearInterval(heartbeat);
        socket.setTimeout(stalledMs, () => socket.destroy());
        for (const part of successParts(content)) {
          if (!socket.write(part)) await once(socket, 'drain', { signal });
          // A driver that reads at once would get a large volume without a pause for other volumes.
          if (typeof part !== 'string') await nextTurn();
        }
        socket.end();
      });
      return undefined;
    } catch (error) {
      const message = failureMessage(error, call.document);
      socket.end(JSON.stringify({ status: 'Failure', message } satisfies AgentAnswer));
      return message;
    } finally {
      clearInterval(heartbeat);
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
