import { expect, test } from '@jest/globals';
import { proxyFromEnv } from '../../../runtime/base/http/proxy-env.ts';

const proxy = 'http://proxy.example:3128';
const through = (url: string, noProxy: string) =>
  proxyFromEnv(new URL(url), { HTTPS_PROXY: proxy, NO_PROXY: noProxy }) === proxy;

test('the scheme of the URL chooses the variable, and upper case wins, as in Go', () => {
  const env = { HTTPS_PROXY: 'http://upper:1', https_proxy: 'http://lower:1', HTTP_PROXY: 'http://plain:1' };
  expect(proxyFromEnv(new URL('https://a.example'), env)).toBe('http://upper:1');
  expect(proxyFromEnv(new URL('https://a.example'), { https_proxy: 'http://lower:1' })).toBe('http://lower:1');
  expect(proxyFromEnv(new URL('http://a.example'), env)).toBe('http://plain:1');
  expect(proxyFromEnv(new URL('https://a.example'), { HTTP_PROXY: 'http://plain:1' })).toBeUndefined();
});

test('a proxy without a scheme is an http proxy', () => {
  expect(proxyFromEnv(new URL('https://a.example'), { HTTPS_PROXY: 'proxy:8080' })).toBe('http://proxy:8080');
});

test.each(['https://localhost:6443', 'https://127.0.0.1:6443', 'https://127.8.8.8', 'https://[::1]:6443'])(
  '%s is never proxied',
  (url) => {
    expect(proxyFromEnv(new URL(url), { HTTPS_PROXY: proxy })).toBeUndefined();
  },
);

test.each([
  ['https://kube.example', '*', false],
  ['https://kube.example', 'kube.example', false],
  ['https://a.kube.example', 'kube.example', false],
  ['https://kube.example', '.kube.example', true],
  ['https://a.kube.example', '.kube.example', false],
  ['https://a.kube.example', '*.kube.example', false],
  ['https://notkube.example', 'kube.example', true],
  ['https://KUBE.example', 'other, kube.EXAMPLE', false],
  ['https://kube.example:6443', 'kube.example:6443', false],
  ['https://kube.example', 'kube.example:6443', true],
  ['https://kube.example', 'kube.example:443', false],
  ['https://10.96.0.1', '10.0.0.0/8', false],
  ['https://11.96.0.1', '10.0.0.0/8', true],
  ['https://10.96.0.1', '10.96.0.1', false],
  ['https://10.96.0.1:6443', '10.96.0.1:443', true],
  ['https://[fd00::1]', 'fd00::/8', false],
  ['https://[fe00::1]', 'fd00::/8', true],
  ['https://[fd00::1]:6443', '[fd00::1]:6443', false],
  ['https://10.96.0.1', '10.0.0.0/99', true],
])('%s with NO_PROXY=%s goes through the proxy: %j', (url, noProxy, expected) => {
  expect(through(url, noProxy)).toBe(expected);
});
