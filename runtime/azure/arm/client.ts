import { type Clock, systemClock } from '../../base/clock.ts';
import { AzimuthError, messageOf } from '../../base/errors.ts';
import { retryAfterOf } from '../../base/http/retry-after.ts';
import { type Logger, silentLogger } from '../../base/observability/log.ts';
import { closeDispatcher } from '../http-call.ts';
import type { AccessToken, ArmClient, ArmRequest, ArmResponse, Operation, PollCaller, PollResult } from '../types.ts';
import { documentProblem, UnexpectedAnswer } from './answers.ts';
import { ArmError, armErrorInfo } from './errors.ts';
import { decidePoll, pollResource } from './operations/decide-poll.ts';
import { detectOperation } from './operations/detect-operation.ts';
import type { OperationContext } from './operations/operation-context.ts';
import { ArmTransport, type ArmTransportOptions, type Exchange } from './transport.ts';

/** Options of an ArmClient. */
export interface ArmClientOptions extends ArmTransportOptions {
  /** Wait between polls where ARM names none, in milliseconds. @default 15000 */
  readonly defaultPollMs?: number;
  /** The first of these waits, for short operations; they grow to `defaultPollMs`. @default `defaultPollMs` */
  readonly firstPollMs?: number;
  readonly random?: () => number;
}

/** An ArmClient over HTTP. Throws nothing; each request throws for itself. */
export function createArmClient(options: ArmClientOptions): ArmClient {
  return new HttpArmClient(options);
}

class HttpArmClient implements ArmClient {
  readonly #options: ArmClientOptions;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #transport: ArmTransport;

  constructor(options: ArmClientOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#log = options.log ?? silentLogger;
    this.#transport = new ArmTransport(options);
  }

  admit(request: ArmRequest): Promise<void> {
    return this.#transport.admit(request);
  }

  async send(request: ArmRequest): Promise<ArmResponse> {
    const { answer, token, correlationId } = await this.#transport.exchange(request);
    const retryAfterMs = retryAfterOf(answer.headers, this.#clock.now());
    const requestId = answer.headers['x-ms-request-id'];
    if (answer.status < 200 || answer.status > 299)
      throw new ArmError(request.method, request.path, this.#transport.info(answer, request.secrets));
    if (request.method === 'GET') {
      const problem = documentProblem(answer.text, answer.body);
      if (problem !== undefined) throw new UnexpectedAnswer(request.path, answer.status, problem);
    }
    const { status, headers, body } = answer;
    return { status, headers, body, requestId, correlationId, retryAfterMs, token };
  }

  operationOf(request: ArmRequest, response: ArmResponse): Operation | undefined {
    const operation = detectOperation(request, response, this.#context(request));
    if (operation !== 'lost') return operation;
    const message = 'The answer 202 has no URL to poll the operation at';
    const info = armErrorInfo({
      status: 202,
      body: { error: { code: 'OperationLost', message } },
      requestId: response.requestId,
    });
    throw new ArmError(request.method, request.path, info);
  }

  async poll(operation: Operation, caller: PollCaller): Promise<PollResult & { readonly token?: AccessToken }> {
    const { token, signal } = caller;
    const request: ArmRequest = {
      ...caller,
      method: 'GET',
      path: operation.url,
      ...(operation.apiVersion === undefined ? {} : { apiVersion: operation.apiVersion }),
    };
    if (!this.#transport.target(request)) {
      this.#log.warn({ host: URL.parse(operation.url)?.host }, 'poll URL is on a foreign host; polling the resource');
      return pollResource(operation, this.#context(request));
    }
    let exchange: Exchange | undefined;
    try {
      exchange = await this.#transport.exchange(request);
    } catch (error) {
      if (signal?.aborted || !(error instanceof AzimuthError)) throw error;
      // The caller reports a credential that does not work; the operation stays as it is.
      if (error.code === 'AZ_AUTH_FAILED' || error.code === 'AZ_AUTH_UNREACHABLE') throw error;
      if (error.code === 'AZ_CONFIG_INVALID') throw error;
      this.#log.warn({ error: messageOf(error) }, 'poll got no answer');
    }
    const result = decidePoll(operation, exchange?.answer, this.#context(request));
    const used = exchange?.token ?? token;
    const withToken = used === undefined ? {} : { token: used };
    if (result.done && result.outcome === 'succeeded' && operation.kind === 'status' && operation.finalPath) {
      return { ...result, body: await this.#resource(operation, request, used), ...withToken };
    }
    return { ...result, ...withToken };
  }

  async close(): Promise<void> {
    await closeDispatcher(this.#options.dispatcher);
  }

  /** The resource after its successful operation; undefined if this GET fails. */
  async #resource(operation: Operation, poll: ArmRequest, token?: AccessToken): Promise<unknown> {
    try {
      const { answer } = await this.#transport.exchange({
        ...poll,
        path: operation.finalPath as string,
        ...(token === undefined ? {} : { token }),
      });
      return answer.status === 200 ? answer.body : undefined;
    } catch (error) {
      if (poll.signal?.aborted) throw error;
      return undefined;
    }
  }

  #context({ authorizer }: Pick<ArmRequest, 'authorizer'>): OperationContext {
    const { allowedHosts, defaultPollMs, firstPollMs, random } = this.#options;
    return {
      cloud: this.#transport.cloudOf(authorizer),
      now: this.#clock.now(),
      ...(allowedHosts === undefined ? {} : { allowedHosts }),
      ...(defaultPollMs === undefined ? {} : { defaultPollMs }),
      ...(firstPollMs === undefined ? {} : { firstPollMs }),
      ...(random === undefined ? {} : { random }),
    };
  }
}
