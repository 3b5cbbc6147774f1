import { expect, test } from '@jest/globals';
import { withoutSecretMembers } from '../../runtime/arm-kinds/secret-value.ts';

test('texts, and lists of texts, whose name says that they are secret are not shown; what only sounds like it is', () => {
  const shown = {
    disablePasswordAuthentication: true,
    tokens: [1],
    publicKey: 'k',
    secretUri: 'https://v/secrets/x',
    secrets: ['Get', 'list'],
  };
  const secret = {
    adminPassword: 'x',
    client_secret: 'x',
    'api-key': 'x',
    accessKeys: ['x', 'y'],
    clientSecrets: ['get', 'x'],
    key1: 'x',
    sasToken: 'x',
  };
  expect(withoutSecretMembers({ ...shown, ...secret, list: [{ ...secret, ...shown }] })).toEqual({
    ...shown,
    list: [shown],
  });
});
