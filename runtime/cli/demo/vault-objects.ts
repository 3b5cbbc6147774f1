import { adminRequest } from '../../../sandbox/azure/admin/admin-client.ts';
import { cloudFromEnvironment } from '../../azure/clouds.ts';
import { httpCall } from '../../azure/http-call.ts';
import { clientSecretAuthorizer } from '../../azure/identity/authorizers/client-secret.ts';
import { AzimuthError } from '../../base/errors.ts';
import { createDispatcher } from '../../base/http/client.ts';
import type { DemoWorld } from './world.ts';

const API_VERSION = '7.4';
const POLL_MS = 50;

/**
 * Acts as the owner of a vault in the portal: creates a secret, a self-signed certificate and a key over Key Vault's
 * REST interface (https://learn.microsoft.com/rest/api/keyvault/), with a role that allows it.
 */
export async function fillVault({ azure, signal }: DemoWorld, vault: string, vaultId: string): Promise<void> {
  const { clientId, objectId, secret, tenantId } = azure.defaultApp;
  const role = 'Key Vault Administrator';
  await adminRequest(azure, 'POST', '/roles', { principalId: objectId, role, scope: vaultId });
  const dispatcher = createDispatcher({ ca: azure.caPem, proxy: 'none' });
  const cloud = cloudFromEnvironment(azure.env());
  const authorizer = clientSecretAuthorizer({ tenantId, clientId, clientSecret: secret }, { cloud, dispatcher });
  const { token } = await authorizer.getToken({ audience: cloud.keyVaultAudience, signal });
  const send = async (method: 'GET' | 'PUT' | 'POST', path: string, body?: object) => {
    const url = `https://${vault}.${cloud.keyVaultDnsSuffix}/${path}?api-version=${API_VERSION}`;
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const answer = await httpCall(dispatcher, {
      method,
      url,
      headers,
      signal,
      ...(body && { body: JSON.stringify(body) }),
    });
    if (answer.status > 299)
      throw new AzimuthError('AZ_TERMINAL', `${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.body as { status?: string };
  };
  try {
    await send('PUT', 'secrets/password', { value: 'correct horse battery staple' });
    await send('POST', 'keys/signing/create', { kty: 'EC', crv: 'P-256' });
    await send('POST', 'certificates/web/create', {
      policy: {
        issuer: { name: 'Self' },
        key_props: { kty: 'RSA', key_size: 2048, exportable: true },
        secret_props: { contentType: 'application/x-pkcs12' },
        x509_props: { subject: 'CN=photos.example', validity_months: 12 },
      },
    });
    while ((await send('GET', 'certificates/web/pending')).status !== 'completed') {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  } finally {
    await dispatcher.close();
  }
}
