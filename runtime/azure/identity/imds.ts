import { type Clock, systemClock } from '../../base/clock.ts';
import { AzimuthError, expected, messageOf } from '../../base/errors.ts';
import type { Dispatcher } from '../../base/http/client.ts';
import { retryAfterOf } from '../../base/http/retry-after.ts';
import type { Flag } from '../../base/program.ts';
import { httpUrl } from '../../base/settings.ts';
import { trimEndOf } from '../../base/text/text.ts';
import type { Environment } from '../clouds.ts';
import { type HttpAnswer, httpCall } from '../http-call.ts';
import type { AccessToken } from '../types.ts';
import { tokenOf } from './entra-client.ts';
import { authFailure, TOKEN_ANSWER_BYTES } from './entra-errors.ts';

/** Options of the client of the instance metadata service. */
export interface ImdsOptions {
  /** Must not use a proxy: the address is link-local (`createDispatcher({ proxy: 'none' })`). */
  readonly dispatcher: Dispatcher;
  /** @default 'http://169.254.169.254' */
  readonly endpoint?: string | undefined;
  /** @default systemClock */
  readonly clock?: Clock;
}

/** Which of a machine's identities is meant; none = the system-assigned or the only one. */
export interface ManagedIdentitySelector {
  readonly clientId?: string | undefined;
  readonly objectId?: string | undefined;
  /** ARM id of the user-assigned identity. */
  readonly resourceId?: string | undefined;
}

/** A token of a managed identity. */
export interface ManagedIdentityToken extends AccessToken {
  /** Of the identity, as the metadata endpoint reports it beside the token. */
  readonly clientId?: string;
}

/** Runs one HTTP request. */
export type SendRequest = (request: () => Promise<HttpAnswer>) => Promise<HttpAnswer>;

/** The instance metadata service of a virtual machine. */
export interface Imds {
  /**
   * One token request plus the retries that the service documents; nothing is kept. `send` runs each HTTP request, such as
   * when there is room for it. @default at once
   */
  token(
    audience: string,
    selector: ManagedIdentitySelector,
    description: string,
    signal?: AbortSignal,
    send?: SendRequest,
  ): Promise<ManagedIdentityToken>;
  /** Instance metadata, such as `compute` (name, resourceId, location, zone, tags, vmScaleSetName) or the whole. */
  instance(part?: string, signal?: AbortSignal): Promise<unknown>;
}

const TOKEN_API = '2018-02-01';
const INSTANCE_API = '2021-02-01';
/** 404 (the endpoint is being updated), 408, 429 and 5xx are worth an exponential retry: 1, 2, 4 s. */
const RETRIES = 3;
/** 410: the service updates itself and is back after at most 70 s. */
const GONE_RETRIES = 7;
const GONE_DELAY_MS = 10_000;
/** Least wait, whatever `Retry-After: 0` asks for. */
const MIN_DELAY_MS = 1000;

/** Where a program finds the metadata endpoint of its machine. */
export const imdsEndpointSetting = {
  flag: 'imds-endpoint',
  env: 'AZURE_IMDS_ENDPOINT',
  envAliases: ['AZURE_POD_IDENTITY_AUTHORITY_HOST'],
  default: 'http://169.254.169.254',
  meaning:
    "the machine's own metadata endpoint, for managed identities; the program also reads AZURE_POD_IDENTITY_AUTHORITY_HOST",
  parse: httpUrl,
} as const satisfies Flag;

/** AZURE_POD_IDENTITY_AUTHORITY_HOST, which Azure's own clients read too, or undefined for the default. */
export function imdsEndpointOf(env: Environment): string | undefined {
  const value = env['AZURE_POD_IDENTITY_AUTHORITY_HOST'];
  if (!value) return undefined;
  const url = URL.parse(value);
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return value;
  throw expected('AZURE_POD_IDENTITY_AUTHORITY_HOST', 'a URL', value);
}

/** A client of the instance metadata service of the machine. Retries as Azure's guidance for IMDS requires. */
export function createImds(options: ImdsOptions): Imds {
  const { dispatcher, clock = systemClock } = options;
  const endpoint = trimEndOf(options.endpoint ?? 'http://169.254.169.254', '/');

  const get = async (path: string, signal?: AbortSignal, send: SendRequest = (send) => send()): Promise<HttpAnswer> => {
    const headers = { metadata: 'true' };
    const call = { method: 'GET', url: endpoint + path, headers, maxBytes: TOKEN_ANSWER_BYTES, signal } as const;
    for (let attempt = 0, gone = 0; ; ) {
      let answer: HttpAnswer | undefined;
      let failure: unknown;
      try {
        answer = await send(() => httpCall(dispatcher, call));
      } catch (error) {
        if (signal?.aborted) throw error;
        failure = error;
      }
      if (answer?.status === 410 && gone < GONE_RETRIES) {
        gone++;
        const asked = retryAfterOf(answer.headers, clock.now()) ?? GONE_DELAY_MS;
        await clock.sleep(Math.max(asked, MIN_DELAY_MS), signal);
      } else if ((answer === undefined || isTransient(answer.status)) && attempt < RETRIES) {
        const asked = answer && retryAfterOf(answer.headers, clock.now());
        await clock.sleep(Math.max(asked ?? 1000 * 2 ** attempt, MIN_DELAY_MS), signal);
        attempt++;
      } else if (answer) {
        return answer;
      } else {
        throw new AzimuthError(
          'AZ_AUTH_UNREACHABLE',
          `The metadata endpoint ${endpoint} did not answer: ${messageOf(failure)}. Managed identity needs a machine of Azure`,
          { cause: failure },
        );
      }
    }
  };

  return {
    async token(audience, selector, description, signal, send) {
      const query = new URLSearchParams({ 'api-version': TOKEN_API, resource: audience });
      if (selector.clientId) query.set('client_id', selector.clientId);
      else if (selector.objectId) query.set('object_id', selector.objectId);
      else if (selector.resourceId) query.set('msi_res_id', selector.resourceId);
      const started = clock.now();
      const answer = await get(`/metadata/identity/oauth2/token?${query}`, signal, send);
      const token = answer.status === 200 ? tokenOf(answer.body, started) : undefined;
      const { client_id: clientId } = (answer.body ?? {}) as Record<string, unknown>;
      if (token) return typeof clientId === 'string' ? { ...token, clientId } : token;
      throw authFailure(`The metadata endpoint ${endpoint}`, description, answer, clock.now(), []);
    },
    async instance(part = '', signal) {
      const path = `/metadata/instance${part && `/${part}`}?api-version=${INSTANCE_API}&format=json`;
      const answer = await get(path, signal);
      if (answer.status === 200 && answer.body !== undefined) return answer.body;
      throw authFailure(`The metadata endpoint ${endpoint}`, `reader of ${path}`, answer, clock.now(), []);
    },
  };
}

function isTransient(status: number): boolean {
  return status === 404 || status === 408 || status === 429 || status >= 500;
}
