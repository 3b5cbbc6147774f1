import { expect, test } from '@jest/globals';
import { clouds } from '../../../../runtime/azure/clouds.ts';
import { defaultAzureAuthorizer } from '../../../../runtime/azure/identity/authorizers/default-credential.ts';

const audience = 'https://management.azure.com';

/** The SDK with a credential that does this. */
function sdk(getToken: (scope: string, options: object) => Promise<{ token: string; expiresOnTimestamp: number }>) {
  const made: object[] = [];
  class DefaultAzureCredential {
    getToken = getToken;
    constructor(options: object) {
      made.push(options);
    }
  }
  return { made, load: async () => ({ DefaultAzureCredential }) as unknown as typeof import('@azure/identity') };
}

test('tokens are those of DefaultAzureCredential, for the cloud, the audience and the tenant asked for', async () => {
  const asked: unknown[] = [];
  const { made, load } = sdk(async (scope, options) => {
    asked.push([scope, options]);
    return { token: 'a', expiresOnTimestamp: 1.7e12 };
  });
  const authorizer = await defaultAzureAuthorizer(clouds.AzureUSGovernmentCloud, load);
  expect(await authorizer.getToken({ audience, tenantId: 't' })).toEqual({ token: 'a', expiresOn: 1.7e12 });
  await defaultAzureAuthorizer({ ...clouds.AzurePublicCloud, authorityHost: 'https://login.example:8443' }, load);
  expect(asked).toEqual([[`${audience}/.default`, { tenantId: 't' }]]);
  expect(made).toEqual([
    { authorityHost: 'https://login.microsoftonline.us', disableInstanceDiscovery: false },
    { authorityHost: 'https://login.example:8443', disableInstanceDiscovery: true },
  ]);
});

test('a failure has the reasons of the SDK on one line of bounded length, and how to sign in', async () => {
  const { load } = sdk(() =>
    Promise.reject(new Error(`EnvironmentCredential: none\nAzureCliCredential: ${'x'.repeat(9000)}`)),
  );
  const authorizer = await defaultAzureAuthorizer(clouds.AzurePublicCloud, load);
  const error = await authorizer.getToken({ audience }).catch((reason) => reason);
  expect(error).toMatchObject({ code: 'AZ_AUTH_FAILED', message: expect.stringContaining('sign in with `az login`') });
  expect(error.message).toContain('EnvironmentCredential: none');
  expect(error.message).not.toContain('\n');
  expect(error.message.length).toBeLessThan(2300);
});

test('an interrupted request ends with the reason of its signal', async () => {
  const { load } = sdk(() => Promise.reject(new Error('aborted')));
  const authorizer = await defaultAzureAuthorizer(clouds.AzurePublicCloud, load);
  const signal = AbortSignal.abort(new Error('Ctrl-C'));
  await expect(authorizer.getToken({ audience, signal })).rejects.toThrow('Ctrl-C');
});

test('a missing SDK is named with the ways to go on, and another failure to load it stays as it is', async () => {
  const missing = Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' });
  await expect(defaultAzureAuthorizer(clouds.AzurePublicCloud, () => Promise.reject(missing))).rejects.toMatchObject({
    code: 'AZ_CONFIG_INVALID',
    message: expect.stringMatching(/npm install @azure\/identity.*--credential=azure-cli/),
  });
  const broken = new Error('broken');
  await expect(defaultAzureAuthorizer(clouds.AzurePublicCloud, () => Promise.reject(broken))).rejects.toBe(broken);
});
