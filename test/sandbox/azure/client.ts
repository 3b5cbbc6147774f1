import { createDispatcher, type Dispatcher } from '../../../runtime/base/http/client.ts';
import type { DemoAzure } from '../../../runtime/cli/demo/world.ts';
import type { RegisteredApp } from '../../../sandbox/azure/apps.ts';
import { request } from '../../fakes/request.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Record<string, string>;
  // biome-ignore lint/suspicious/noExplicitAny: answers of many shapes
  readonly body: any;
  readonly text: string;
}

/** A plain HTTP client of the embedded Azure; every call asks for a token of its own. */
export class TestClient {
  readonly azure: DemoAzure;
  readonly #dispatcher: Dispatcher;

  constructor(azure: DemoAzure) {
    this.azure = azure;
    this.#dispatcher = createDispatcher({ ca: azure.caPem, proxy: 'none' });
  }

  async send(
    method: string,
    url: string,
    options: {
      body?: unknown;
      text?: string;
      form?: Record<string, string>;
      headers?: Record<string, string>;
      token?: string;
    } = {},
  ): Promise<Answer> {
    const answer = await request(url, {
      method,
      dispatcher: this.#dispatcher,
      headers: {
        ...(options.form
          ? { 'content-type': 'application/x-www-form-urlencoded' }
          : { 'content-type': 'application/json' }),
        ...(options.token ? { authorization: `Bearer ${options.token}` } : {}),
        ...options.headers,
      },
      body: options.form
        ? new URLSearchParams(options.form).toString()
        : options.body === undefined
          ? (options.text ?? null)
          : JSON.stringify(options.body),
    });
    const text = await answer.body.text();
    let body: unknown;
    try {
      body = JSON.parse(text);
    } catch {
      body = undefined;
    }
    return { status: answer.statusCode, headers: answer.headers as Record<string, string>, body, text };
  }

  /** POST to the token endpoint with these form members. */
  tokenRequest(form: Record<string, string>, path = `/${this.azure.tenantId}/oauth2/v2.0/token`): Promise<Answer> {
    return this.send('POST', `${this.azure.endpoints.aad}${path}`, { form });
  }

  async token(
    scope = 'https://management.azure.com/.default',
    app: RegisteredApp = this.azure.defaultApp,
  ): Promise<string> {
    const answer = await this.tokenRequest({
      grant_type: 'client_credentials',
      client_id: app.clientId,
      client_secret: app.secret,
      scope,
    });
    if (answer.status !== 200) throw new Error(`no token: ${answer.text}`);
    return answer.body.access_token;
  }

  /** A request to ARM; `path` is a resource id without api-version. */
  async arm(
    method: string,
    path: string,
    apiVersion: string,
    body?: unknown,
    options: { headers?: Record<string, string>; app?: RegisteredApp } = {},
  ): Promise<Answer> {
    const token = await this.token(undefined, options.app);
    const separator = path.includes('?') ? '&' : '?';
    return this.send(method, `${this.azure.endpoints.arm}${path}${separator}api-version=${apiVersion}`, {
      token,
      ...(body === undefined ? {} : { body }),
      ...(options.headers ? { headers: options.headers } : {}),
    });
  }

  /** GET of an absolute URL, such as one to poll. */
  async get(url: string): Promise<Answer> {
    return this.send('GET', url, { token: await this.token() });
  }

  close(): Promise<void> {
    return this.#dispatcher.close();
  }
}
