import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { azureCliAuthorizer } from '../../../../runtime/azure/identity/authorizers/azure-cli.ts';

const audience = 'https://management.azure.com';
let directory: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'azimuth-az-'));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** A command line that does this, as a shell script. */
function az(name: string, script: string): string {
  const path = join(directory, name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

test('the token is that of the account, for the audience asked for', async () => {
  const command = az('good', `echo "{\\"accessToken\\": \\"$6\\", \\"expires_on\\": 1700000000}"`);
  expect(await azureCliAuthorizer(command).getToken({ audience })).toEqual({ token: audience, expiresOn: 1.7e12 });
});

test('the error has the message of the command line, and says when az is missing', async () => {
  const command = az('bad', 'echo "Please run az login." >&2; exit 1');
  await expect(azureCliAuthorizer(command).getToken({ audience })).rejects.toMatchObject({
    code: 'AZ_AUTH_FAILED',
    message: expect.stringContaining('Please run az login.'),
  });
  await expect(azureCliAuthorizer(join(directory, 'none')).getToken({ audience })).rejects.toThrow('ENOENT');
  await expect(azureCliAuthorizer(az('empty', 'echo')).getToken({ audience })).rejects.toThrow('no token');
});
