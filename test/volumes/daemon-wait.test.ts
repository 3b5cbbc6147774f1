import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { systemClock } from '../../runtime/base/clock.ts';
import type { VolumeSpec } from '../../runtime/volumes/options/volume-spec.ts';
import { nodeDaemonAt } from '../../runtime/volumes/vault/node-daemon-client.ts';
import { authorizerOf, type VolumeTokenDeps } from '../../runtime/volumes/vault/token-source.ts';

const away = 'did not answer: no answer within 0.1 s; is its DaemonSet running here';
const waits = 'had no identity for the pod within 60 s; does an AzureIdentityBinding select the pod';

test.each([
  { daemon: 'is away', passesMs: 10, code: 'AZ_AUTH_UNREACHABLE', words: away },
  { daemon: 'waits for a binding', passesMs: 60_000, code: 'AZ_AUTH_FAILED', words: waits },
])('a node daemon that $daemon has an error of its own', async ({ passesMs, code, words }) => {
  const directory = mkdtempSync(join(tmpdir(), 'azimuth-daemon-'));
  const socket = join(directory, 'nmi.sock');
  const server = createServer(() => undefined).listen(socket);
  await once(server, 'listening');
  chmodSync(socket, 0o600);
  let reads = 0;
  const clock = { ...systemClock, monotonic: () => passesMs * reads++ };
  const volume = { identity: { mode: 'pod' }, pod: { namespace: 'a', name: 'p', uid: '' } };
  const context = { clock, nodeDaemon: nodeDaemonAt(socket, { timeoutMs: 100 }), once: true };
  const authorizer = authorizerOf(volume as unknown as VolumeSpec, context as unknown as VolumeTokenDeps);
  const asked = authorizer.getToken({ audience: 'https://vault.azure.net', tenantId: 't' });
  await expect(asked).rejects.toMatchObject({ code, message: expect.stringContaining(words) });
  server.closeAllConnections();
  server.close();
  rmSync(directory, { recursive: true });
});
