import { httpCall } from '../../../azure/http-call.ts';
import { AzimuthError } from '../../../base/errors.ts';
import { createDispatcher, type Dispatcher } from '../../../base/http/client.ts';
import type { DemoWorld } from '../world.ts';
import { type StartedEndpoint, secretsAudience } from './secret-endpoint.ts';

const POLL_MS = 200;
/** Seconds of a long poll; the endpoint allows 60 at most. */
const WAIT_SECONDS = 20;

/** The version of a secret that a machine polls; the value is left where it is. */
export interface PolledVersion {
  /** Number of the version, from 1. */
  readonly version: number;
  readonly tag: string;
}

/**
 * A machine outside of the cluster: it signs in at its metadata endpoint and asks the secret endpoint, as
 * docs/guides/machines-that-poll/azimuth-secret.sh does.
 */
export class PollingMachine {
  readonly #world: DemoWorld;
  readonly #url: string;
  readonly #clientId: string;
  readonly #dispatcher: Dispatcher;
  #authorization = '';

  constructor(world: DemoWorld, { url, ca }: StartedEndpoint, secret: string, clientId: string) {
    this.#world = world;
    this.#url = `${url}/v1/secrets/${secret}`;
    this.#clientId = clientId;
    this.#dispatcher = createDispatcher({ ca, proxy: 'none' });
  }

  /**
   * Asks until there is a version other than `known`, by long polls once it has one. Throws the signal's reason, and AZ_TERMINAL
   * for a machine that is refused the token.
   */
  async next(known?: PolledVersion): Promise<PolledVersion> {
    const { signal } = this.#world;
    while (!signal.aborted) {
      const { status, headers, body } = await this.#ask(known);
      if (status === 200) return { version: (body as { version: number }).version, tag: String(headers['etag']) };
      // Not a consumer yet, or not in the vault yet: the endpoint reads both.
      if (status !== 304) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    throw signal.reason;
  }

  /** Ends its connections. */
  async close(): Promise<void> {
    await this.#dispatcher.close();
  }

  async #ask(known: PolledVersion | undefined) {
    this.#authorization ||= `Bearer ${await this.#token()}`;
    return httpCall(this.#dispatcher, {
      method: 'GET',
      url: `${this.#url}?wait=${known ? WAIT_SECONDS : 0}`,
      headers: { authorization: this.#authorization, ...(known && { 'if-none-match': known.tag }) },
      signal: this.#world.signal,
    });
  }

  async #token(): Promise<string> {
    const { azure, signal } = this.#world;
    const query = new URLSearchParams({
      'api-version': '2018-02-01',
      resource: secretsAudience,
      client_id: this.#clientId,
    });
    const url = `${azure.endpoints.imds}/metadata/identity/oauth2/token?${query}`;
    const answer = await httpCall(this.#dispatcher, { method: 'GET', url, headers: { metadata: 'true' }, signal });
    const { access_token: token } = (answer.body ?? {}) as { access_token?: string };
    if (token !== undefined) return token;
    throw new AzimuthError('AZ_TERMINAL', `The metadata endpoint answered ${answer.status} for ${secretsAudience}`);
  }
}
