import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from '@jest/globals';
import {
  adminUsernameProblem,
  computerNamePrefixProblem,
  computerNameProblem,
  customDataProblem,
  sshKeyProblem,
  sshPathProblem,
} from '../../../runtime/compute/machines/machine-names.ts';

const field = (...parts: Buffer[]) =>
  Buffer.concat(parts.flatMap((part) => [Buffer.from(Uint32Array.of(part.length).buffer).swap32(), part]));
const openSsh = (type: string, ...parts: Buffer[]) =>
  `${type} ${field(Buffer.from(type), ...parts).toString('base64')} me@host`;

function rsa(bits: number): string {
  const { n = '', e = '' } = generateKeyPairSync('rsa', { modulusLength: bits }).publicKey.export({ format: 'jwk' });
  const number = (text: string) => Buffer.concat([Buffer.of(0), Buffer.from(text, 'base64url')]);
  return openSsh('ssh-rsa', number(e), number(n));
}
const ed25519 = () => {
  const { x = '' } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' });
  return openSsh('ssh-ed25519', Buffer.from(x, 'base64url'));
};

test('names of the list are refused in any case, and the message names the value and how to fix it', () => {
  const problem = adminUsernameProblem('Linux', 'Admin', 'properties.osProfile.adminUsername');
  expect(problem).toMatchObject({ name: 'AdminUsernameInvalid', path: 'properties.osProfile.adminUsername' });
  expect(problem?.message).toMatch(/"Admin" is on the list .*; choose another name/);
  expect(problem?.azure?.message).toBe('The Admin Username specified is not allowed.');
});

test('a Windows user has at most 20 characters, a Linux user 64', () => {
  expect(adminUsernameProblem('Windows', 'x'.repeat(21), '')).toBeDefined();
  expect(adminUsernameProblem('Linux', 'x'.repeat(64), '')).toBeUndefined();
  expect(adminUsernameProblem('Linux', 'ops.', '')).toBeUndefined();
});

test.each(['', 'a b', '../root', 'a\u0000', 'a\nb'])('%j is no name of a user, whatever the system', (name) => {
  for (const os of ['Windows', 'Linux'] as const) expect(adminUsernameProblem(os, name, '')).toBeDefined();
});

test('a Windows computer name has neither digits alone nor signs', () => {
  expect(computerNameProblem('Windows', '12345', '')?.message).toMatch(/digits only/);
  expect(computerNameProblem('Windows', 'web_01', '')?.message).toMatch(/"_"/);
  expect(computerNameProblem('Linux', 'web_01', '')).toBeUndefined();
});

test('a prefix has 1 to 15 characters', () => {
  expect(computerNamePrefixProblem('x'.repeat(16), '')?.message).toMatch(/16 characters, allowed are 1 to 15/);
});

test("a public key goes into the administrator's own file only", () => {
  expect(sshPathProblem('ops', '/home/ops/.ssh/authorized_keys', '')).toBeUndefined();
  for (const file of ['/root/.ssh/authorized_keys', '/home/ops/.ssh/../x', '']) {
    expect(sshPathProblem('ops', file, '')?.message).toContain('/home/ops/.ssh/authorized_keys');
  }
});

test('RSA of 2048 bits and ed25519 are accepted, shorter RSA is refused with its size', () => {
  expect(sshKeyProblem(rsa(2048), '')).toBeUndefined();
  expect(sshKeyProblem(`${ed25519()}\n`, '')).toBeUndefined();
  expect(sshKeyProblem(rsa(1024), '')?.message).toMatch(/has 1024 bits/);
});

test('a key that is cut, of another type, or more than one line is refused', () => {
  const whole = rsa(2048);
  const cut = whole.split(' ').slice(0, 2).join(' ').slice(0, -40);
  for (const key of [
    '',
    'ssh-rsa',
    cut,
    whole.replace('ssh-rsa', 'ssh-ed25519'),
    'ecdsa-sha2-nistp256 AAAA',
    `${whole}\n${whole}`,
    `ssh-rsa ${'A'.repeat(9000)}`,
    openSsh('ssh-ed25519', Buffer.alloc(31)),
  ]) {
    expect(sshKeyProblem(key, 'k')?.name).toBe('SshKeyInvalid');
  }
});

test('customData is Base64 of at most 65,535 bytes, and is not quoted', () => {
  expect(customDataProblem(Buffer.alloc(65_535).toString('base64'), '')).toBeUndefined();
  for (const text of ['#!/bin/sh', 'QUJ=D', 'QUJ']) {
    expect(customDataProblem(text, '')?.message).toBe(
      'customData is no Base64; let the machine read large data itself',
    );
  }
});
