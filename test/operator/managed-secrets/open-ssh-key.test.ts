import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { openSshPrivateKey, openSshPublicKey } from '../../../runtime/operator/managed-secrets/values/open-ssh-key.ts';

const rsa = () => generateKeyPairSync('rsa', { modulusLength: 2048 });
const ed25519 = () => generateKeyPairSync('ed25519');

test.each([
  ['ssh-ed25519', ed25519],
  ['ssh-rsa', rsa],
] as const)('%s: the public key comes out of the private one as it went in', (type, make) => {
  const { privateKey, publicKey } = make();
  const text = openSshPrivateKey(privateKey.export({ format: 'jwk' }));
  const [first, blob = '', comment] = openSshPublicKey(text, 'ops').split(' ');
  expect([first, comment]).toEqual([type, 'ops']);
  const { x, n } = publicKey.export({ format: 'jwk' });
  expect(Buffer.from(blob, 'base64').includes(Buffer.from(x ?? n ?? '', 'base64url'))).toBe(true);
});

test.each([
  '',
  'password',
  '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAAEA==\n-----END OPENSSH PRIVATE KEY-----\n',
])('another text is refused without being repeated', (text) => {
  const refused = () => openSshPublicKey(text, 'ops');
  expect(refused).toThrow(/is no private key of OpenSSH/);
});
