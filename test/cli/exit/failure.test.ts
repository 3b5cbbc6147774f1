import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { expect, test } from '@jest/globals';
import { AzimuthError, expected } from '../../../runtime/base/errors.ts';
import { exitCodes, failureLine } from '../../../runtime/cli/exit/failure.ts';
import { flexvolume } from '../../../runtime/cli/flexvolume.ts';
import { must } from '../../../runtime/nmi/redirection/command.ts';

const system = (code: string, more: object) => Object.assign(new Error(`${code}: something`), { code, ...more });

test('the reference page has exactly the exit codes', () => {
  const page = readFileSync('docs/reference/command-line.md', 'utf8');
  const section = page.split(/^## /m).find((text) => text.startsWith('Exit codes')) ?? '';
  const listed = [...section.matchAll(/^\| (\d+) \|/gm)].map(([, code]) => Number(code));
  expect(listed).toEqual(Object.values(exitCodes));
});

test('the last line is printable, whatever file, object or server the error names', () => {
  const name = 'a\u001b]0;owned\u0007\u009b2J\u202e\nb';
  const line = 'azimuth: a\\u001b]0;owned\\u0007\\u009b2J\\u202e b';
  expect(failureLine(new Error(name))).toBe(line);
  expect(failureLine(expected('x', 'y', name))).toContain(line.slice('azimuth: '.length));
});

test('a port that is in use is named, with what to do', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const error = await new Promise((resolve) => createServer().once('error', resolve).listen(port, '127.0.0.1'));
  expect(failureLine(error)).toMatch(
    new RegExp(`^azimuth: .*EADDRINUSE.*:${port}; another process listens there: end it`),
  );
  server.close();
});

test.each([
  ['a port that needs root', system('EACCES', { syscall: 'listen' }), /below 1024 need root.*NET_BIND_SERVICE/],
  [
    'a file of somebody else',
    system('EACCES', { syscall: 'open', path: '/etc/x' }),
    /uid \d+\) may not do that.*\/etc\/x/,
  ],
  ['what takes root', system('EPERM', { syscall: 'mount' }), /takes root or a capability/],
  ['an address of another machine', system('EADDRNOTAVAIL', { syscall: 'listen' }), /no such address/],
  ['a directory below a file', system('ENOTDIR', { syscall: 'mkdir', path: '/etc/passwd/x' }), /is a file: choose/],
  ['a read-only directory', system('EROFS', { syscall: 'mkdir', path: '/x' }), /\/x is read-only/],
  [
    'an API server that does not answer',
    new AzimuthError('AZ_KUBE_UNREACHABLE', 'no answer', { cause: system('ECONNREFUSED', { syscall: 'connect' }) }),
    /^azimuth: AZ_KUBE_UNREACHABLE: no answer; start this API server, or name another one by KUBECONFIG/,
  ],
  [
    'what an error of ours was caused by',
    new AzimuthError('AZ_CONFIG_INVALID', 'no', { cause: system('EACCES', { syscall: 'open', path: '/k' }) }),
    /^azimuth: AZ_CONFIG_INVALID: no; .*\/k$/,
  ],
] as const)('%s is refused with what to do', (_, error, line) => {
  expect(failureLine(error)).toMatch(line);
});

test('a Unix socket in a directory that is not there is refused with what to do', async () => {
  const error = await new Promise((resolve) => createServer().once('error', resolve).listen('/nowhere/at/all.sock'));
  expect(failureLine(error)).toMatch(/make the directory \/nowhere\/at, and let the user of this process \(uid \d+\)/);
});

test('the redirection that is not permitted says which rights it takes', async () => {
  const stderr = 'RTNETLINK answers: Operation not permitted';
  const denied = async () => ({ code: 2, stdout: '', stderr });
  await expect(must(denied, 'ip', ['address', 'add'])).rejects.toThrow(/NET_ADMIN and NET_RAW.*--iptables=off/);
  const other = async () => ({ code: 1, stdout: '', stderr: 'Bad rule' });
  await expect(must(other, 'iptables', ['-A'])).rejects.toThrow(/Bad rule$/);
});

test.each([
  ['a wrong word', ['instal'], /got `instal`/],
  ['no word', [], /got `neither`/],
])('azimuth flexvolume with %s ends as other programs do with a wrong argument', async (_, argv, found) => {
  const error = await flexvolume(argv).catch((thrown: unknown) => thrown);
  const line = failureLine(error);
  expect(line).toMatch(/^azimuth: AZ_CONFIG_INVALID: .*to be install or remove/);
  expect(line).toMatch(found);
});
