import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { systemClock } from '../../runtime/base/clock.ts';
import { createDispatcher } from '../../runtime/base/http/client.ts';
import type { VolumeRequest } from '../../runtime/volumes/options/volume-request.ts';
import { authorizerOf, type IdentityContext } from '../../runtime/volumes/vault/token-source.ts';

const away = 'did not answer: nothing was received for 100 ms; is its DaemonSet running here';
const waits = 'had no identity for the pod within 60 s; does an AzureIdentityBinding select the pod';

test.each([
  { daemon: 'is away', passesMs: 10, code: 'AZ_AUTH_UNREACHABLE', words: away },
  { daemon: 'waits for a binding', passesMs: 60_000, code: 'AZ_AUTH_FAILED', words: waits },
])('a node daemon that $daemon is told from one that is not', async ({ passesMs, code, words }) => {
  const server = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const direct = createDispatcher({ proxy: 'none', headersTimeoutMs: 100 });
  let looks = 0;
  const clock = { ...systemClock, monotonic: () => passesMs * looks++ };
  const volume = { identity: { mode: 'pod', nmiPort: port }, pod: { namespace: 'a', name: 'p', uid: '' } };
  const context = { clock, direct, hostTokenFile: '/nowhere', nmiPort: port, once: true };
  const authorizer = authorizerOf(volume as unknown as VolumeRequest, context as unknown as IdentityContext);
  const asked = authorizer.getToken({ audience: 'https://vault.azure.net', tenantId: 't' });
  await expect(asked).rejects.toMatchObject({ code, message: expect.stringContaining(words) });
  server.closeAllConnections();
  server.close();
  await direct.close();
});
