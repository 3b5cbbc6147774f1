import { KeyVault } from '../../runtime/azure/key-vault/client.ts';
import type { Clock } from '../../runtime/base/clock.ts';
import type { Dispatcher } from '../../runtime/base/http/client.ts';
import { afterwards } from '../fakes/afterwards.ts';
import { type FakeAnswer, FakeAzure, type SeenRequest } from '../fakes/azure-server.ts';
import { cloudAt, countingAuthorizer, dispatcherFor } from './support.ts';

export const bearer = (rest: string) => ({ status: 401, headers: { 'www-authenticate': `Bearer ${rest}` } });
/** The challenge of a vault. */
export const usual = bearer('authorization="https://login.evil.test/tenant-9", resource="https://vault.test"');

/** A vault on loopback that answers as `handler` says, and a client of it; both end with the test. */
export async function startVault(
  handler: (request: SeenRequest, url: string) => FakeAnswer,
  more: {
    challenge?: FakeAnswer;
    verifyChallengeResource?: boolean;
    host?: string;
    mayWrite?: () => void;
    shareReadTokens?: boolean;
  } = {},
) {
  let origin = '';
  const server = await FakeAzure.start(
    (request) => (request.headers.authorization ? handler(request, origin) : (more.challenge ?? usual)),
    { hosts: ['kv1.vault.test', 'kv1.elsewhere.test'] },
  );
  const inner = dispatcherFor(server.ca);
  // The names of vaults lead to loopback; TLS and the server see them.
  const dispatcher: Dispatcher = {
    request: ({ origin, headers, ...rest }) =>
      inner.request({ ...rest, origin: server.url, headers: { ...headers, host: new URL(origin).host } }),
    close: () => inner.close(),
    destroy: () => inner.destroy(),
  };
  origin = `https://${more.host ?? 'kv1.vault.test'}:${server.port}`;
  const authorizer = countingAuthorizer();
  const slept: number[] = [];
  let now = 0;
  const clock = {
    now: () => now,
    sleep: async (ms: number) => {
      slept.push(ms);
      now += ms;
    },
  } as unknown as Clock;
  const { verifyChallengeResource, mayWrite, shareReadTokens } = more;
  const options = { vault: origin, cloud: cloudAt('https://unused.test'), authorizer, dispatcher, clock };
  const vault = new KeyVault({
    ...options,
    ...(verifyChallengeResource === undefined ? {} : { verifyChallengeResource }),
    ...(mayWrite === undefined ? {} : { mayWrite }),
    ...(shareReadTokens === undefined ? {} : { shareReadTokens }),
  });
  afterwards(
    () => server[Symbol.asyncDispose](),
    () => dispatcher.close(),
  );
  return { server, vault, authorizer, slept };
}

export const secret = (version = 'a'.repeat(32), more = {}) => ({
  value: 'v',
  id: `https://kv1.vault.test/secrets/name/${version}`,
  attributes: {
    enabled: true,
    created: 1_700_000_000,
    updated: 1_700_000_001,
    exp: 1_800_000_000,
    recoveryLevel: 'Recoverable',
  },
  ...more,
});
