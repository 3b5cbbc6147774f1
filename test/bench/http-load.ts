import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';

export interface LoadOptions {
  /** @default '127.0.0.1' */
  readonly host?: string;
  /** The /24 of the callers' addresses. @default '127.0.1' */
  readonly from?: string;
  readonly port: number;
  /** The whole of a request, headers included. */
  readonly request: string;
  readonly count: number;
  /** Callers at a time, each with a connection that it keeps, from ten addresses. */
  readonly callers: number;
  /** Requests that begin in a second. @default as many as are answered */
  readonly rate?: number;
}

export interface LoadResult {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly perSecond: number;
  /** Bytes of the body of an answer. */
  readonly bodyBytes: number;
}

/** Sends requests one after another on each connection. Throws at the first answer that is not 200. */
export async function load(options: LoadOptions): Promise<LoadResult> {
  const { count, callers, rate, host = '127.0.0.1', from = '127.0.1' } = options;
  const times = new Float64Array(count);
  let sent = 0;
  let bodyBytes = 0;
  const started = performance.now();
  const caller = async (index: number) => {
    let connection: Caller | undefined;
    for (let turn = sent++; turn < count; turn = sent++) {
      if (rate !== undefined) await setTimeout(started + (1000 * turn) / rate - performance.now());
      connection ??= new Caller(host, options.port, `${from}.${(index % 10) + 1}`);
      const begun = performance.now();
      bodyBytes = await connection.ask(options.request);
      times[turn] = performance.now() - begun;
      if (connection.closing) connection = connection.end();
    }
    connection?.end();
  };
  await Promise.all(Array.from({ length: callers }, (_, index) => caller(index)));
  const seconds = (performance.now() - started) / 1000;
  times.sort();
  const at = (share: number) => times[Math.floor(count * share)] ?? 0;
  return { p50Ms: at(0.5), p99Ms: at(0.99), perSecond: count / seconds, bodyBytes };
}

/** One connection. It reads no more of HTTP than a content length, so that the load costs less than what is measured. */
class Caller {
  closing = false;
  readonly #socket: Socket;
  #received = '';
  #answered: PromiseWithResolvers<number> | undefined;

  constructor(host: string, port: number, localAddress: string) {
    this.#socket = connect({ host, port, localAddress, noDelay: true });
    this.#socket.setEncoding('latin1').on('data', (part: string) => this.#read(part));
    this.#socket.on('error', (error) => this.#answered?.reject(error));
    this.#socket.on('close', () => this.#answered?.reject(new Error('the connection was closed')));
  }

  /** Resolves to the length of the body. */
  ask(request: string): Promise<number> {
    this.#answered = Promise.withResolvers();
    this.#socket.write(request);
    return this.#answered.promise;
  }

  end(): undefined {
    this.#answered = undefined;
    this.#socket.end();
  }

  #read(part: string): void {
    this.#received += part;
    const head = this.#received.indexOf('\r\n\r\n');
    if (head < 0) return;
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(this.#received)?.[1]);
    if (this.#received.length < head + 4 + length) return;
    const status = this.#received.slice(9, 12);
    if (/\r\nconnection: close/i.test(this.#received.slice(0, head + 2))) this.closing = true;
    const answer = this.#received;
    this.#received = '';
    if (status === '200') this.#answered?.resolve(length);
    else this.#answered?.reject(new Error(`HTTP ${answer}`));
  }
}
