/** Runs Azure's own clients against the embedded Azure that the environment names; prints what they returned as JSON. */
import { constants, createHash, createPublicKey, randomBytes, verify } from 'node:crypto';
import { ResourceManagementClient } from '@azure/arm-resources';
import { StorageManagementClient } from '@azure/arm-storage';
import {
  ClientCertificateCredential,
  ClientSecretCredential,
  ManagedIdentityCredential,
  type TokenCredential,
  WorkloadIdentityCredential,
} from '@azure/identity';
import { CertificateClient } from '@azure/keyvault-certificates';
import { CryptographyClient, KeyClient, type KeyVaultKey } from '@azure/keyvault-keys';
import { SecretClient } from '@azure/keyvault-secrets';

const env = (name: string) => process.env[name] ?? '';
const tenant = env('AZURE_TENANT_ID');
const options = { authorityHost: env('AZURE_AUTHORITY_HOST'), disableInstanceDiscovery: true };
const armScope = 'https://management.azure.com/.default';

const secret = () => new ClientSecretCredential(tenant, env('AZURE_CLIENT_ID'), env('AZURE_CLIENT_SECRET'), options);

const claimsOf = async (credential: TokenCredential, scope = armScope) => {
  const token = await credential.getToken(scope);
  const claims = JSON.parse(Buffer.from(token?.token.split('.')[1] ?? '', 'base64url').toString('utf8'));
  return { aud: claims.aud, appid: claims.appid, tid: claims.tid, oid: claims.oid, mirid: claims.xms_mirid };
};

const failure = async (run: () => Promise<unknown>): Promise<string> => {
  try {
    await run();
    return 'no error';
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  }
};

async function identity() {
  return {
    secret: await claimsOf(secret()),
    wrongSecret: await failure(() =>
      new ClientSecretCredential(tenant, env('AZURE_CLIENT_ID'), 'wrong', options).getToken(armScope),
    ),
    certificate: await claimsOf(
      new ClientCertificateCredential(
        tenant,
        env('TEST_CERT_CLIENT_ID'),
        { certificatePath: env('TEST_CERT_FILE') },
        options,
      ),
    ),
    workload: await claimsOf(
      new WorkloadIdentityCredential({
        tenantId: tenant,
        clientId: env('TEST_WORKLOAD_CLIENT_ID'),
        tokenFilePath: env('TEST_TOKEN_FILE'),
        ...options,
      }),
    ),
    managed: await claimsOf(new ManagedIdentityCredential({ clientId: env('TEST_IDENTITY_CLIENT_ID') })),
    managedByResource: await claimsOf(new ManagedIdentityCredential({ resourceId: env('TEST_IDENTITY_ID') })),
  };
}

const armOptions = { endpoint: env('AZURE_RESOURCE_MANAGER_ENDPOINT'), credentialScopes: [armScope] };

async function resources() {
  const client = new ResourceManagementClient(secret(), env('AZURE_SUBSCRIPTION_ID'), armOptions);
  const group = await client.resourceGroups.createOrUpdate('sdk-rg', { location: 'westus2', tags: { made: 'by sdk' } });
  const names: (string | undefined)[] = [];
  for await (const item of client.resourceGroups.list()) names.push(item.name);
  const storage = new StorageManagementClient(secret(), env('AZURE_SUBSCRIPTION_ID'), armOptions);
  const account = await storage.storageAccounts.create('sdk-rg', 'sdkaccount', {
    location: 'westus2',
    kind: 'StorageV2',
    sku: { name: 'Standard_LRS' },
  });
  const keys = await storage.storageAccounts.listKeys('sdk-rg', 'sdkaccount');
  const renewed = await storage.storageAccounts.regenerateKey('sdk-rg', 'sdkaccount', { keyName: 'key2' });
  const values = (list: typeof keys) => list.keys?.map(({ value }) => value) ?? [];
  const [first, second] = values(keys);
  const relisted = values(await storage.storageAccounts.listKeys('sdk-rg', 'sdkaccount'));
  const refusal = await failure(() =>
    storage.storageAccounts.regenerateKey('sdk-rg', 'sdkaccount', { keyName: 'key9' }),
  );
  const container = await storage.blobContainers.create('sdk-rg', 'sdkaccount', 'things', {});
  const accounts: (string | undefined)[] = [];
  for await (const item of storage.storageAccounts.listByResourceGroup('sdk-rg')) accounts.push(item.name);
  const available = await storage.storageAccounts.checkNameAvailability({
    name: 'sdkaccount',
    type: 'Microsoft.Storage/storageAccounts',
  });
  const missing = await failure(() => storage.storageAccounts.getProperties('sdk-rg', 'nothere'));
  await storage.storageAccounts.delete('sdk-rg', 'sdkaccount');
  await client.resourceGroups.delete('sdk-rg');
  return {
    group,
    names,
    account: { state: account.provisioningState, blob: account.primaryEndpoints?.blob, tier: account.sku?.tier },
    keys: keys.keys?.map(({ keyName, permissions }) => [keyName, permissions]),
    renewed: {
      first: values(renewed)[0] === first,
      second: values(renewed)[1] !== second,
      listed: JSON.stringify(relisted) === JSON.stringify(values(renewed)),
      refusal,
    },
    container: container.name,
    accounts,
    available: available.nameAvailable,
    missing,
    groupExists: await failure(() => client.resourceGroups.get('sdk-rg')),
  };
}

const vaultUrl = env('TEST_VAULT_URL');
const vaultOptions = { disableChallengeResourceVerification: true };

async function secrets() {
  const client = new SecretClient(vaultUrl, secret(), vaultOptions);
  const set = await client.setSecret('first', 'value one', { contentType: 'text/plain', tags: { a: 'b' } });
  await client.setSecret('first', 'value two');
  const latest = await client.getSecret('first');
  const old = await client.getSecret('first', { version: set.properties.version ?? '' });
  for (let index = 0; index < 27; index += 1) await client.setSecret(`many-${index}`, String(index));
  let count = 0;
  for await (const _ of client.listPropertiesOfSecrets()) count += 1;
  const versions: string[] = [];
  for await (const properties of client.listPropertiesOfSecretVersions('first'))
    versions.push(properties.version ?? '');
  await client.updateSecretProperties('first', latest.properties.version ?? '', { enabled: false });
  const disabled = await failure(() => client.getSecret('first'));
  const poller = await client.beginDeleteSecret('first');
  const deleted = await poller.pollUntilDone();
  const reuse = await failure(() => client.setSecret('first', 'again'));
  const recovered = await (await client.beginRecoverDeletedSecret('first')).pollUntilDone();
  await (await client.beginDeleteSecret('first')).pollUntilDone();
  await client.purgeDeletedSecret('first');
  return {
    contentType: set.properties.contentType,
    tags: set.properties.tags,
    recoverable: [set.properties.recoveryLevel, set.properties.recoverableDays],
    values: [old.value, latest.value],
    count,
    versions: versions.length,
    disabled,
    deleted: [deleted.name, deleted.recoveryId !== undefined, deleted.scheduledPurgeDate instanceof Date],
    reuse,
    recovered: recovered.name,
    gone: await failure(() => client.getSecret('first')),
  };
}

const jwkOf = ({ key }: KeyVaultKey) => ({
  kty: 'RSA',
  n: Buffer.from(key?.n ?? []).toString('base64url'),
  e: Buffer.from(key?.e ?? []).toString('base64url'),
});

async function keys() {
  const client = new KeyClient(vaultUrl, secret(), vaultOptions);
  const rsa = await client.createRsaKey('rsa');
  const digest = createHash('sha256').update('message').digest();
  const results: Record<string, boolean> = {};
  const credential = secret();
  const crypto = new CryptographyClient(rsa.id ?? '', credential, vaultOptions);
  for (const algorithm of ['RS256', 'PS256'] as const) {
    const { result } = await crypto.sign(algorithm, digest);
    results[algorithm] = (await crypto.verify(algorithm, digest, result)).result;
    const padding = algorithm === 'PS256' ? constants.RSA_PKCS1_PSS_PADDING : constants.RSA_PKCS1_PADDING;
    const key = createPublicKey({ key: jwkOf(rsa), format: 'jwk' });
    results[`${algorithm} local`] = verify('sha256', Buffer.from('message'), { key, padding, saltLength: 32 }, result);
  }
  for (const algorithm of ['RSA-OAEP', 'RSA-OAEP-256', 'RSA1_5'] as const) {
    const plaintext = randomBytes(32);
    const sealed = await crypto.encrypt({ algorithm, plaintext });
    const opened = await crypto.decrypt({ algorithm, ciphertext: sealed.result });
    results[algorithm] = plaintext.equals(opened.result);
  }
  const wrapped = await crypto.wrapKey('RSA-OAEP', digest);
  results['wrap'] = digest.equals((await crypto.unwrapKey('RSA-OAEP', wrapped.result)).result);
  for (const [curve, algorithm, hash] of [
    ['P-256', 'ES256', 'sha256'],
    ['P-384', 'ES384', 'sha384'],
    ['P-521', 'ES512', 'sha512'],
  ] as const) {
    const ec = await client.createEcKey(`ec-${curve}`, { curve });
    const signer = new CryptographyClient(ec.id ?? '', credential, vaultOptions);
    const hashed = createHash(hash).update('message').digest();
    const { result } = await signer.sign(algorithm, hashed);
    results[algorithm] = (await signer.verify(algorithm, hashed, result)).result;
  }
  const rotated = await client.createRsaKey('rsa');
  return {
    kty: rsa.keyType,
    operations: rsa.keyOperations,
    results,
    newVersion: rotated.properties.version !== rsa.properties.version,
  };
}

async function certificates() {
  const client = new CertificateClient(vaultUrl, secret(), vaultOptions);
  const poller = await client.beginCreateCertificate(
    'web',
    {
      issuerName: 'Self',
      subject: 'CN=web.example',
      subjectAlternativeNames: { dnsNames: ['web.example'] },
      contentType: 'application/x-pem-file',
    },
    { intervalInMs: 100 },
  );
  const certificate = await poller.pollUntilDone();
  const own = new SecretClient(vaultUrl, secret(), vaultOptions);
  const pem = (await own.getSecret('web')).value ?? '';
  const pfxPoller = await client.beginCreateCertificate(
    'pfx',
    { issuerName: 'Self', subject: 'CN=pfx.example' },
    { intervalInMs: 100 },
  );
  await pfxPoller.pollUntilDone();
  const pfx = (await own.getSecret('pfx')).value ?? '';
  const fromPfx = await client.importCertificate('copy', Buffer.from(pfx, 'base64'));
  const fromPem = await client.importCertificate('copy-pem', Buffer.from(pem), {
    policy: { contentType: 'application/x-pem-file' },
  });
  const deletion = await client.beginDeleteCertificate('web', { intervalInMs: 100 });
  const deleted = await deletion.pollUntilDone();
  return {
    name: certificate.name,
    policy: [certificate.policy?.subject, certificate.policy?.issuerName],
    cer: Buffer.from(certificate.cer ?? []).length > 100,
    thumbprint: certificate.properties.x509Thumbprint?.length,
    pem: [pem.includes('BEGIN PRIVATE KEY'), pem.includes('BEGIN CERTIFICATE')],
    imported: [fromPfx.name, fromPem.name],
    deleted: deleted.name,
    secretGone: await failure(() => own.getSecret('web')),
  };
}

async function denied() {
  const credential = new ClientCertificateCredential(
    tenant,
    env('TEST_CERT_CLIENT_ID'),
    { certificatePath: env('TEST_CERT_FILE') },
    options,
  );
  return failure(() => new SecretClient(vaultUrl, credential, vaultOptions).getSecret('many-1'));
}

const parts: Record<string, () => Promise<unknown>> = { identity, resources, secrets, keys, certificates, denied };
const output: Record<string, unknown> = {};
for (const [name, run] of Object.entries(parts)) {
  output[name] = await run().catch((error: unknown) => ({
    failed: error instanceof Error ? error.stack : String(error),
  }));
}
process.stdout.write(JSON.stringify(output));
