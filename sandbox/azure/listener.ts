import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../../runtime/base/clock.ts';
import type { Logger } from '../../runtime/base/observability/log.ts';
import { decoded, type Exchange, type Handler, Refusal, type Reply } from './exchange.ts';
import type { Fault, Faults } from './faults.ts';
import type { Ids } from './ids.ts';
import type { Journal, JournalEntry, ServiceName } from './journal.ts';
import type { KeyAndCertificate } from './pki.ts';
import type { StateStore } from './state.ts';

/** The parts that every HTTPS listener uses. */
export interface ListenerDeps {
  readonly journal: Journal;
  readonly faults: Faults;
  readonly clock: Clock;
  readonly log: Logger;
  readonly store: StateStore;
  readonly ids: Ids;
}

const mebibyte = 1024 * 1024;
/** The longest body of a request; blobs are larger than documents. */
const maxBody = (service: ServiceName) => (service === 'blob' ? 256 : 8) * mebibyte;

/** A loopback server of one service: reads requests, keeps the journal, lets faults happen, sends answers. */
export class Listener {
  readonly port: number;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.port = (server.address() as AddressInfo).port;
  }

  /** Port 0 picks a free one; a port in use is replaced by a free one only with `fallback`. */
  static async start(
    service: ServiceName,
    handler: Handler,
    deps: ListenerDeps,
    options: { port?: number; host?: string; tls?: KeyAndCertificate; fallback?: boolean },
  ): Promise<Listener> {
    const onRequest = (request: IncomingMessage, response: ServerResponse) => {
      answer(service, handler, deps, options.tls ? 'https' : 'http', request, response).catch((error: unknown) => {
        deps.log.error({ err: error, service }, 'request failed inside the sandbox');
        response.destroy();
      });
    };
    const server = options.tls
      ? createHttpsServer({ key: options.tls.keyPem, cert: options.tls.certPem }, onRequest)
      : createHttpServer(onRequest);
    // Clients close an idle connection first: one that ends as a request is sent over it loses that request.
    server.keepAliveTimeout = 90_000;
    const listen = (port: number) =>
      new Promise<void>((resolve, reject) => {
        server.once('error', reject).listen(port, options.host ?? '127.0.0.1', () => {
          server.off('error', reject);
          resolve();
        });
      });
    await listen(options.port ?? 0).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE' || !options.fallback) throw error;
      return listen(0);
    });
    return new Listener(server);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}

async function answer(
  service: ServiceName,
  handler: Handler,
  deps: ListenerDeps,
  scheme: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await readBody(request, maxBody(service));
  if (body === undefined) {
    response.writeHead(413, { connection: 'close' }).end();
    return;
  }
  const host = request.headers.host ?? 'localhost';
  const target = request.url ?? '/';
  const url = new URL(`${scheme}://${host}${target.startsWith('/') ? target : '/'}`);
  const method = request.method ?? 'GET';
  const entry = deps.journal.add({
    time: deps.clock.now(),
    service,
    method,
    host,
    path: url.pathname,
    bodyHash: deps.journal.hash(body),
    userAgent: request.headers['user-agent'],
  });
  const fault = deps.faults.take({ service, method, target, host });
  if (fault) entry.fault = fault.id;
  if (fault?.delayMs) await new Promise((resolve) => setTimeout(resolve, fault.delayMs));
  if (fault?.connection === 'drop') return void request.socket.destroy();
  if (fault?.connection === 'hang') return;
  const exchange: Exchange = {
    method,
    origin: `${scheme}://${host}`,
    host,
    url,
    segments: url.pathname.split('/').filter(Boolean).map(decoded),
    query: url.searchParams,
    headers: request.headers as Record<string, string | undefined>,
    body,
    entry,
    operationFault: fault?.operation,
  };
  const reply = fault?.status === undefined ? await run(handler, exchange, deps) : faultReply(fault);
  if (entry.effective) deps.store.changed();
  if (fault?.connection === 'dropAfter') return void request.socket.destroy();
  if (fault?.connection === 'hangAfter') return;
  entry.status = reply.status;
  // Status 0: the service cannot be reached.
  if (reply.status === 0) return void request.socket.destroy();
  send(reply, exchange, deps, response, entry);
}

async function run(handler: Handler, exchange: Exchange, deps: ListenerDeps): Promise<Reply> {
  try {
    return await handler(exchange);
  } catch (error) {
    if (error instanceof Refusal) {
      exchange.entry.errorCode = error.code;
      return error.reply;
    }
    deps.log.error({ err: error, path: exchange.url.pathname }, 'request failed inside the sandbox');
    exchange.entry.errorCode = 'InternalServerError';
    return {
      status: 500,
      body: { error: { code: 'InternalServerError', message: 'The sandbox failed; see its log.' } },
    };
  }
}

function faultReply(fault: Fault): Reply {
  const html = typeof fault.body === 'string' && fault.body.trimStart().startsWith('<');
  const type = html ? 'text/html' : typeof fault.body === 'string' ? 'text/plain' : 'application/json; charset=utf-8';
  return {
    status: fault.status ?? 500,
    headers: { ...(fault.body === undefined ? {} : { 'content-type': type }), ...fault.headers },
    body: fault.body,
  };
}

function send(
  reply: Reply,
  exchange: Exchange,
  deps: ListenerDeps,
  response: ServerResponse,
  entry: JournalEntry,
): void {
  const requestId = entry.requestId ?? deps.ids.uuid();
  entry.requestId = requestId;
  entry.correlationId = exchange.headers['x-ms-correlation-request-id'] ?? exchange.headers['client-request-id'];
  const clientRequestId = exchange.headers['x-ms-client-request-id'];
  // Key Vault logs the client's own id as that of the correlation.
  if (entry.service === 'vault' && clientRequestId) entry.correlationId = clientRequestId;
  const headers: Record<string, string> = {
    'cache-control': 'no-cache',
    date: new Date(deps.clock.now()).toUTCString(),
    'x-ms-request-id': requestId,
    ...(entry.service === 'arm' ? { 'x-ms-correlation-request-id': entry.correlationId ?? requestId } : {}),
    ...(clientRequestId ? { 'x-ms-client-request-id': clientRequestId } : {}),
    ...reply.headers,
  };
  if (reply.body === undefined) {
    response.writeHead(reply.status, { ...headers, 'content-length': '0' }).end();
    return;
  }
  const { body } = reply;
  const text = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  if (headers['content-type'] === undefined) headers['content-type'] = 'application/json; charset=utf-8';
  headers['content-length'] = String(Buffer.byteLength(text));
  response.writeHead(reply.status, headers).end(exchange.method === 'HEAD' ? undefined : text);
}

async function readBody(request: IncomingMessage, most: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > most) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
