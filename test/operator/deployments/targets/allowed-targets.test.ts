import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, isIP } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  AllowedTargets,
  isAllowedTarget,
  type TargetRule,
  tryParseTargetRule,
} from '../../../../runtime/operator/deployments/targets/allowed-targets.ts';

const rule = (text: string) => tryParseTargetRule(text) as TargetRule;
const signal = new AbortController().signal;

test('a rule is an origin, or the subdomains of a host', () => {
  for (const text of [
    '',
    'example.org',
    'ftp://example.org',
    'https://example.org/path',
    'https://a*.org',
    'https://*',
  ])
    expect(tryParseTargetRule(text)).toBeUndefined();
  const allows = (text: string, url: string) => isAllowedTarget(new URL(url), [rule(text)]);
  expect(allows('https://example.org', 'https://example.org/a?b')).toBe(true);
  expect(allows('https://example.org', 'http://example.org')).toBe(false);
  expect(allows('https://example.org', 'https://example.org:8443')).toBe(false);
  expect(allows('https://example.org', 'https://example.org.evil.net')).toBe(false);
  expect(allows('https://*.example.org', 'https://a.b.example.org')).toBe(true);
  expect(allows('https://*.example.org', 'https://example.org')).toBe(false);
  expect(allows('https://*.example.org', 'https://evilexample.org')).toBe(false);
  expect(allows('http://prometheus.monitoring:9090', 'http://prometheus.monitoring:9090/api')).toBe(true);
});

test.each([
  ['http://127.0.0.1', []],
  ['http://localhost', ['127.0.0.1']],
  ['http://[::1]', []],
  ['http://[::ffff:127.0.0.1]', []],
  ['http://169.254.169.254', []],
  ['http://168.63.129.16', []],
  ['http://inner.example.org', ['169.254.169.254', 'fe80::1', '::ffff:169.254.169.254']],
  ['http://translated.example.org', ['64:ff9b::a9fe:a9fe', '::7f00:1']],
  ['http://api.example.org', ['10.0.0.1']],
  ['http://api.example.org', ['::ffff:10.0.0.1', '::ffff:a00:1']],
])('%s is refused whatever the list allows', async (url, addresses) => {
  const targets = new AllowedTargets({
    rules: [rule(url)],
    apiServers: ['kubernetes.example.org', 'nobody.example.org'],
    addressesOf: async (host) => {
      if (host === 'nobody.example.org') throw new Error('ENOTFOUND');
      return host === 'kubernetes.example.org' ? ['10.0.0.1'] : addresses;
    },
  });
  await expect(targets.get(url, 'status', signal)).rejects.toMatchObject({
    code: 'AZ_TERMINAL',
    message: expect.stringContaining(
      'no address that the operator may ask: it is the API server, loopback or link-local, or has none (--gate-targets)',
    ),
  });
});

test('an origin that is not on the list is refused without a look at its name', async () => {
  const looked: string[] = [];
  const addressesOf = async (host: string) => {
    looked.push(host);
    return ['192.0.2.1'];
  };
  const targets = new AllowedTargets({ rules: [], apiServers: [], addressesOf });
  await expect(targets.get('https://example.org/', 'status', signal)).rejects.toThrow(/--gate-targets/);
  expect(looked).toEqual([]);
});

/** Servers on loopback, which the tests below open to see requests. */
class OpenTargets extends AllowedTargets {
  protected override isClosed(): boolean {
    return false;
  }
}

let server: Server;
let answer: RequestListener = (_, response) => response.end();
beforeAll(async () => {
  server = createServer((request, response) => answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  server.close();
});

const openTargets = (...hosts: string[]) => {
  const { port } = server.address() as AddressInfo;
  const url = (host: string, path = '/') => `http://${host}:${port}${path}`;
  const rules = hosts.map((host) => rule(url(host, '')));
  const addressesOf = async (host: string) => [isIP(host) ? host : '127.0.0.1'];
  return { targets: new OpenTargets({ rules, apiServers: [], addressesOf }), url };
};

test('the connection goes to the checked address, with the name as the host', async () => {
  answer = (request, response) => response.end(`host ${request.headers.host}`);
  const { targets, url } = openTargets('home.example.org');
  const { status, text } = await targets.get(url('home.example.org'), 'text', signal);
  expect({ status, text }).toMatchObject({ status: 200, text: expect.stringMatching(/^host home\.example\.org:/) });
});

test('a redirect is followed to origins of the list only', async () => {
  const { targets, url } = openTargets('home.example.org', 'other.example.org');
  answer = (request, response) => {
    if (request.url === '/') response.writeHead(302, { location: url('other.example.org', '/end') });
    if (request.url === '/out') response.writeHead(302, { location: url('secret.example.org') });
    if (request.url === '/loop') response.writeHead(302, { location: '/loop' });
    response.end('there');
  };
  expect(await targets.get(url('home.example.org'), 'text', signal)).toMatchObject({ status: 200, text: 'there' });
  await expect(targets.get(url('home.example.org', '/out'), 'text', signal)).rejects.toThrow(/not among the targets/);
  await expect(targets.get(url('home.example.org', '/loop'), 'text', signal)).rejects.toThrow(/redirects too often/);
});

test('an answer beyond 64 KB is refused where its text counts, and not where its status does', async () => {
  answer = (_, response) => response.end('x'.repeat(70_000));
  const { targets, url } = openTargets('home.example.org');
  await expect(targets.get(url('home.example.org'), 'text', signal)).rejects.toThrow(/longer than/);
  expect(await targets.get(url('home.example.org'), 'status', signal)).toMatchObject({ status: 200 });
});
