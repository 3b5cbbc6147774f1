import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { createDispatcher } from '../../../runtime/base/http/client.ts';
import { startConnectProxy } from '../../fakes/connect-proxy.ts';
import { eventually } from '../../fakes/eventually.ts';
import { request } from '../../fakes/request.ts';

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

test('the environment decides for each host whether a proxy is used, by one set of rules', async () => {
  const proxy = await startConnectProxy();
  const names = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'NO_PROXY', 'no_proxy'];
  const before = names.map((name) => process.env[name]);
  for (const name of names) delete process.env[name];
  process.env['HTTP_PROXY'] = proxy.url;
  process.env['HTTPS_PROXY'] = proxy.url;
  process.env['NO_PROXY'] = '.direct.localhost';
  const server = createServer((incoming, response) => response.end(incoming.headers.host));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const dispatcher = createDispatcher();
  try {
    for (const host of ['127.0.0.1', 'a.direct.localhost']) {
      const { body } = await request(`http://${host}:${port}/`, { dispatcher });
      expect(await body.text()).toBe(`${host}:${port}`);
    }
    expect(proxy.tunnels).toEqual([]);
    // The proxy may not know the name; that it is asked is enough.
    request(`https://a.proxied.localhost:${port}/`, { dispatcher }).catch(() => undefined);
    await eventually('the proxy is asked', () => proxy.tunnels.length > 0);
    expect(proxy.tunnels.map(({ target }) => target)).toEqual([`a.proxied.localhost:${port}`]);
  } finally {
    await dispatcher.destroy();
    await proxy.close();
    await new Promise((resolve) => server.close(resolve));
    for (const [index, name] of names.entries()) {
      if (before[index] === undefined) delete process.env[name];
      else process.env[name] = before[index];
    }
  }
});
