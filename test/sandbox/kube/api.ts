import { parse as parseYaml } from 'yaml';
import { createDispatcher, type Dispatcher } from '../../../runtime/base/http/client.ts';
import { type EmbeddedKube, type EmbeddedKubeOptions, startEmbeddedKube } from '../../../sandbox/kube/index.ts';
import type { Unstructured } from '../../../sandbox/kube/model/types.ts';
import { request } from '../../fakes/request.ts';

export interface Answer {
  readonly code: number;
  readonly body: Unstructured;
  readonly text: string;
  readonly headers: Record<string, string | string[] | undefined>;
}

export interface SendOptions {
  readonly type?: string;
  readonly headers?: Record<string, string>;
  /** Sends this token in place of the administrator's certificate. '' = no credential. */
  readonly token?: string;
}

/** An embedded API with the plainest of clients, so that tests see what is on the wire. */
export class Api {
  readonly kube: EmbeddedKube;
  readonly #admin: Dispatcher;
  readonly #bare: Dispatcher;

  constructor(kube: EmbeddedKube) {
    this.kube = kube;
    const { user } = (parseYaml(kube.adminKubeconfig) as Unstructured)['users'][0];
    const pem = (member: string) => Buffer.from(user[member], 'base64').toString();
    const base = { ca: kube.caPem, proxy: 'none' };
    this.#admin = createDispatcher({ ...base, cert: pem('client-certificate-data'), key: pem('client-key-data') });
    this.#bare = createDispatcher(base);
  }

  async send(method: string, path: string, body?: unknown, options: SendOptions = {}): Promise<Answer> {
    const response = await this.stream(method, path, body, options);
    const text = await response.body.text();
    const json = String(response.headers['content-type']).includes('json');
    return { code: response.statusCode, text, headers: response.headers, body: json ? JSON.parse(text) : {} };
  }

  async stream(method: string, path: string, body?: unknown, options: SendOptions = {}, signal?: AbortSignal) {
    const { token, type = 'application/json', headers } = options;
    const raw = typeof body === 'string' || body instanceof Uint8Array || body === undefined;
    return request(`${this.kube.url}${path}`, {
      method,
      dispatcher: token === undefined ? this.#admin : this.#bare,
      body: raw ? ((body as string | Uint8Array | undefined) ?? null) : JSON.stringify(body),
      headers: {
        'user-agent': 'tester/1.0',
        ...(body === undefined ? {} : { 'content-type': type }),
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...headers,
      },
      signal: signal ?? null,
    });
  }

  get = (path: string, options?: SendOptions) => this.send('GET', path, undefined, options);
  post = (path: string, body: unknown, options?: SendOptions) => this.send('POST', path, body, options);
  put = (path: string, body: unknown, options?: SendOptions) => this.send('PUT', path, body, options);
  delete = (path: string, body?: unknown, options?: SendOptions) => this.send('DELETE', path, body, options);
  merge = (path: string, body: unknown, options?: SendOptions) =>
    this.send('PATCH', path, body, { ...options, type: 'application/merge-patch+json' });

  /** Events of a watch until `enough` says so or the server ends it. */
  async watch(path: string, enough: (events: Unstructured[]) => boolean = () => false): Promise<Unstructured[]> {
    const stop = new AbortController();
    const { body } = await this.stream('GET', path, undefined, {}, stop.signal);
    const events: Unstructured[] = [];
    let rest = '';
    try {
      const decoder = new TextDecoder();
      for await (const chunk of body) {
        const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) events.push(JSON.parse(line));
        if (enough(events)) break;
      }
    } finally {
      stop.abort();
    }
    return events;
  }

  async close(): Promise<void> {
    await this.kube.close();
    await Promise.all([this.#admin.destroy(), this.#bare.destroy()]);
  }
}

export const startApi = async (options: EmbeddedKubeOptions = {}) => new Api(await startEmbeddedKube(options));

/** A CRD with a status subresource and a bounded number; `more` is merged into its only version. */
export const widgetCrd = (more: Unstructured = {}, group = 'example.com'): Unstructured => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `widgets.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget', shortNames: ['wd'] },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: { type: 'object', properties: { size: { type: 'integer', maximum: 5 } } },
              status: { type: 'object', properties: { phase: { type: 'string' } } },
            },
          },
        },
        ...more,
      },
    ],
  },
});

export const widget = (name: string, spec: object, metadata: object = {}) => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name, ...metadata },
  spec,
});

export const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
export const widgets = '/apis/example.com/v1/namespaces/default/widgets';
export const configMaps = '/api/v1/namespaces/default/configmaps';
