import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Dispatcher } from '../../runtime/base/http/client.ts';
import { isObject, tryParseJson } from '../../runtime/base/json.ts';
import type { KeyAndCertificate } from '../azure/pki.ts';
import type { SessionRecorder } from './session-recorder.ts';

/** The parts of a proxy. */
export interface ProxyParts {
  /** Base URL of the Resource Manager that answers, without trailing slash. */
  readonly upstream: string;
  readonly dispatcher: Dispatcher;
  readonly recorder: SessionRecorder;
  readonly tls: KeyAndCertificate;
}

/** Headers of one connection, and those by which an answer would not be plain text. */
const ofConnection =
  /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|host|content-length|accept-encoding|expect)$/;

/** A server on 127.0.0.1 that passes each request on to one Resource Manager, and notes it with its answer. */
export class RecordingProxy {
  readonly url: string;
  readonly #parts: ProxyParts;
  readonly #server: Server;

  private constructor(parts: ProxyParts, server: Server, url: string) {
    this.#parts = parts;
    this.#server = server;
    this.url = url;
  }

  /** @param port 0 picks a free one */
  static async start(parts: ProxyParts, port = 0): Promise<RecordingProxy> {
    let proxy: RecordingProxy;
    const server = createServer({ key: parts.tls.keyPem, cert: parts.tls.certPem }, (request, response) => {
      proxy.#pass(request, response).catch((error: unknown) => fail(response, error));
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(port, '127.0.0.1', resolve);
    });
    proxy = new RecordingProxy(parts, server, `https://localhost:${(server.address() as AddressInfo).port}`);
    return proxy;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  async #pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url: target = '/' } = request;
    if (!target.startsWith('/')) throw new Error('only paths are passed on');
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const { upstream, dispatcher, recorder } = this.#parts;
    const answer = await dispatcher.request({
      origin: upstream,
      path: target,
      method,
      headers: { ...passedOn(request.headers), 'accept-encoding': 'identity' },
      body: body.length === 0 ? null : body,
    });
    const text = await answer.body.text({ maxBytes: 64 * 1024 * 1024 });
    recorder.add({
      method,
      target,
      requestHeaders: request.headers,
      requestBody: body.toString(),
      status: answer.statusCode,
      headers: answer.headers,
      answer: text,
    });
    const headers = passedOn(answer.headers);
    for (const name of ['location', 'azure-asyncoperation']) {
      if (headers[name] !== undefined) headers[name] = this.#here(String(headers[name]));
    }
    const shown = this.#withNextPage(text);
    const isEmpty = method === 'HEAD' || answer.statusCode === 204 || answer.statusCode === 304;
    response.writeHead(answer.statusCode, {
      ...headers,
      ...(!isEmpty && { 'content-length': Buffer.byteLength(shown) }),
    });
    response.end(isEmpty ? undefined : shown);
  }

  /** A URL of the upstream as one of this proxy, so that polls and further pages come here too. */
  #here(url: string): string {
    const there = URL.canParse(url) ? new URL(url) : undefined;
    if (there?.origin !== new URL(this.#parts.upstream).origin) return url;
    return `${this.url}${there.pathname}${there.search}`;
  }

  #withNextPage(text: string): string {
    if (!text.includes('"nextLink"')) return text;
    const body = tryParseJson(text);
    if (!isObject(body) || typeof body['nextLink'] !== 'string') return text;
    return JSON.stringify({ ...body, nextLink: this.#here(body['nextLink']) });
  }
}

function passedOn(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string | string[]> {
  const entries = Object.entries(headers).filter(([name, value]) => value !== undefined && !ofConnection.test(name));
  return Object.fromEntries(entries) as Record<string, string | string[]>;
}

/** Answers 502 where the upstream gave no answer; the session does not have the request. */
function fail(response: ServerResponse, error: unknown): void {
  const message = `Resource Manager gave no answer: ${error instanceof Error ? error.message : String(error)}`;
  if (response.headersSent) return void response.destroy();
  const body = JSON.stringify({ error: { code: 'BadGateway', message } });
  response.writeHead(502, { 'content-type': 'application/json; charset=utf-8' }).end(body);
}
