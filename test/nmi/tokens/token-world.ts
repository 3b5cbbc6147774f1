/** A token service on the embedded Microsoft Entra ID, with time that a test moves. */
import { setImmediate as turn } from 'node:timers/promises';
import { cloudFromEnvironment } from '../../../runtime/azure/clouds.ts';
import type { Imds } from '../../../runtime/azure/identity/imds.ts';
import { ManualClock } from '../../../runtime/base/clock.ts';
import { createDispatcher } from '../../../runtime/base/http/client.ts';
import type { Pod } from '../../../runtime/nmi/objects.ts';
import type { HttpError } from '../../../runtime/nmi/protocol/http-error.ts';
import { RequestPlaces } from '../../../runtime/nmi/request-places.ts';
import type { IdentityUse } from '../../../runtime/nmi/tokens/pod-identities.ts';
import { Secrets } from '../../../runtime/nmi/tokens/secret-reader.ts';
import { ServiceAccountTokens } from '../../../runtime/nmi/tokens/service-account-tokens.ts';
import { tokenError } from '../../../runtime/nmi/tokens/token-errors.ts';
import { TokenService } from '../../../runtime/nmi/tokens/token-service.ts';
import { startEmbeddedAzure } from '../../../sandbox/azure/azure.ts';
import { binding, identity, pod, secretsType } from '../harness.ts';
import { NmiKube } from '../nmi-kube.ts';

/** An answer to a pod: 200, or status and Retry-After of the refusal. */
export interface Given {
  readonly status: number;
  readonly retryAfterSeconds?: number | undefined;
}

export interface TokenWorld extends AsyncDisposable {
  readonly clock: ManualClock;
  readonly kube: NmiKube;
  /** GETs of Secrets so far. */
  readonly reads: () => number;
  /** Requests to Entra so far. */
  readonly sent: () => number;
  /** Makes this secret the application's only one. */
  inEntra(secret: string): void;
  inKubernetes(secret: string): Promise<unknown>;
  /** One uncached request. */
  request(resource?: string): Promise<Given>;
  /** Moves the clock; time stands still while a request to Entra is under way. */
  pass(ms: number): Promise<void>;
  /** Requests the token and moves the clock until it is answered. */
  answer(resource?: string): Promise<Given>;
  /** Lets the next `count` requests to Entra fail like this. */
  fail(count: number, status: number, code: string, error?: string): void;
}

const clientId = '6f1c5a3e-0a35-4b5e-9d1e-2f1f0c6a7b11';

export async function startTokenWorld(): Promise<TokenWorld> {
  const azure = await startEmbeddedAzure();
  const dispatcher = createDispatcher({ proxy: 'none', ca: azure.caPem });
  const clock = new ManualClock(Date.now());
  const kube = new NmiKube();
  let [reads, sent, underWay, failures] = [0, 0, 0, 0];
  let failure = { status: 0, code: '', error: '' };
  const get = kube.get.bind(kube);
  kube.get = ((...args: Parameters<typeof get>) => {
    reads++;
    return get(...args);
  }) as typeof kube.get;
  const faulty = {
    request: (request: Parameters<typeof dispatcher.request>[0]) => {
      sent++;
      if (failures-- <= 0) return dispatcher.request(request);
      const { status, code, error } = failure;
      const text = JSON.stringify({ error, error_description: `${code}: words of Entra. Trace ID: x` });
      const body = {
        text: async () => text,
        bytes: async () => Buffer.from(text),
        arrayBuffer: async () => Buffer.from(text),
      };
      const headers = { 'content-type': 'application/json' };
      return Promise.resolve({ statusCode: status, headers, body }) as unknown as ReturnType<typeof dispatcher.request>;
    },
  } as unknown as typeof dispatcher;
  const service = new TokenService({
    imds: {} as Imds,
    entra: { cloud: cloudFromEnvironment(azure.env()), dispatcher: faulty },
    places: new RequestPlaces(),
    secrets: new Secrets({ client: kube, clock }),
    accounts: new ServiceAccountTokens(kube, clock),
    clock,
    cacheMs: 0,
    measure: async (work) => {
      underWay++;
      try {
        return await work();
      } finally {
        underWay--;
      }
    },
  });
  const spec = {
    type: 1,
    tenantID: azure.tenantId,
    clientID: clientId,
    clientPassword: { namespace: 'app', name: 's' },
  };
  const use = { binding: binding(), identity: identity('id', spec), spec } as unknown as IdentityUse;
  const caller = { apiVersion: 'v1', kind: 'Pod', ...pod() } as Pod;

  const idle = async () => {
    do for (let turns = 0; turns < 5; turns++) await turn();
    while (underWay > 0);
  };
  const request: TokenWorld['request'] = (resource = 'https://vault.azure.net') =>
    service.issue(use, caller, resource, new AbortController().signal).then(
      () => ({ status: 200 }),
      (error: unknown) => {
        const { status, retryAfterSeconds }: HttpError = tokenError(error);
        return { status, retryAfterSeconds };
      },
    );
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 50) {
      await idle();
      await clock.advance(50);
    }
    await idle();
  };
  return {
    clock,
    kube,
    reads: () => reads,
    sent: () => sent,
    inEntra: (secret) => void azure.registerApp({ clientId, secret }),
    inKubernetes: (secret) =>
      kube.put(secretsType, {
        metadata: { namespace: 'app', name: 's' },
        data: { clientSecret: Buffer.from(secret).toString('base64') },
      } as never),
    request,
    pass,
    async answer(resource) {
      let given: Given | undefined;
      void request(resource).then((answer) => {
        given = answer;
      });
      while (!given) await pass(50);
      return given;
    },
    fail(count, status, code, error = 'invalid_request') {
      failures = count;
      failure = { status, code, error };
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([dispatcher.close(), azure.close()]);
    },
  };
}
