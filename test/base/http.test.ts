import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { request } from 'undici';
import { createDispatcher } from '../../runtime/base/http.ts';

test('names below localhost lead to loopback, whatever the resolver of the machine knows', async () => {
  const server = createServer((incoming, response) => response.end(incoming.headers.host));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const dispatcher = createDispatcher({ proxy: 'none' });
  const { body } = await request(`http://myvault.vault.localhost:${port}/`, { dispatcher });
  expect(await body.text()).toBe(`myvault.vault.localhost:${port}`);
  await dispatcher.close();
  await new Promise((resolve) => server.close(resolve));
});
