import { ManualClock } from '../../runtime/base/clock.ts';
import { createDispatcher, type Dispatcher } from '../../runtime/base/http/client.ts';
import { tryParseJson } from '../../runtime/base/json.ts';
import { startEmbeddedAzure } from '../azure/azure.ts';
import type { EmbeddedAzure } from '../azure/embedded-azure.ts';
import type { RecordedRequest } from './session.ts';
import type { Translation } from './translation.ts';

/** An answer of the sandbox. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The JSON body, or undefined. */
  readonly body: unknown;
}

const bucket = { size: 1e9, refillPerSecond: 1e9 };

/** Sends recorded requests to an embedded Azure and follows the operations that they start. */
export class Player {
  readonly azure: EmbeddedAzure;
  readonly #clock: ManualClock;
  readonly #dispatcher: Dispatcher;
  #token = '';

  private constructor(azure: EmbeddedAzure, clock: ManualClock) {
    this.azure = azure;
    this.#clock = clock;
    this.#dispatcher = createDispatcher({ ca: azure.caPem, proxy: 'none' });
  }

  static async start(): Promise<Player> {
    const clock = new ManualClock(Date.UTC(2026, 5, 1));
    const azure = await startEmbeddedAzure({
      clock,
      seed: 'sessions',
      arm: { operationMs: 1, pageSize: 100_000, retryAfterSeconds: 'real' },
      throttle: { reads: bucket, writes: bucket, deletes: bucket },
      tokenLifetimeSeconds: 86_400 * 365,
    });
    return new Player(azure, clock);
  }

  /** Empties the sandbox for the next session. */
  async reset(): Promise<void> {
    this.azure.reset();
    const { clientId, secret } = this.azure.defaultApp;
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: secret,
      scope: 'https://management.azure.com/.default',
    });
    const url = `${this.azure.endpoints.aad}/${this.azure.tenantId}/oauth2/v2.0/token`;
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const { body } = await this.#send('POST', url, headers, form.toString());
    this.#token = (body as { access_token: string }).access_token;
  }

  /** The sandbox's answer, after the end of the operation that it started. */
  async play(recorded: RecordedRequest, translation: Translation, apiVersion?: string): Promise<Answer> {
    const url = new URL(
      encodeURI(translation.text(recorded.path)).replaceAll('#', '%23').replaceAll('?', '%3F'),
      this.azure.endpoints.arm,
    );
    url.search = translation.text(recorded.query);
    if (apiVersion !== undefined) url.searchParams.set('api-version', apiVersion);
    const asked = Object.entries(recorded.asked ?? {}).map(([name, value]) => [name, translation.text(value)]);
    const headers = {
      authorization: `Bearer ${this.#token}`,
      'content-type': 'application/json',
      ...(Object.fromEntries(asked) as Record<string, string>),
    };
    const body = recorded.body === undefined ? null : JSON.stringify(translation.json(recorded.body));
    const answer = await this.#send(recorded.method, url.toString(), headers, body);
    await this.#clock.advance(10);
    if (recorded.method !== 'GET' && answer.status < 300) await this.#follow(answer);
    return answer;
  }

  async #follow({ headers }: Answer): Promise<void> {
    const url = headers['azure-asyncoperation'] ?? headers['location'];
    if (url === undefined || !url.startsWith('http')) return;
    for (let polls = 0; polls < 50; polls += 1) {
      const { status, body } = await this.#send('GET', url, { authorization: `Bearer ${this.#token}` }, null);
      await this.#clock.advance(1000);
      const word = (body as { status?: unknown } | undefined)?.status;
      const running = typeof word === 'string' && !/^(succeeded|failed|canceled)$/i.test(word);
      if (status !== 202 && (headers['azure-asyncoperation'] === undefined || !running)) return;
    }
  }

  async #send(method: string, url: string, headers: Record<string, string>, body: string | null): Promise<Answer> {
    const { origin, pathname, search } = new URL(url);
    const answer = await this.#dispatcher.request({ origin, path: `${pathname}${search}`, method, headers, body });
    const text = await answer.body.text();
    const answered = answer.headers as Record<string, string>;
    return { status: answer.statusCode, headers: answered, body: tryParseJson(text) };
  }

  async close(): Promise<void> {
    await this.#dispatcher.close();
    await this.azure.close();
  }
}
