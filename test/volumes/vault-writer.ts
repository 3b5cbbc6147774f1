/** Writes objects into a vault with Azure's own clients, as standard input says; prints their versions as JSON. */
import { text } from 'node:stream/consumers';
import { ClientSecretCredential } from '@azure/identity';
import { CertificateClient, type CertificateContentType } from '@azure/keyvault-certificates';
import { KeyClient } from '@azure/keyvault-keys';
import { SecretClient } from '@azure/keyvault-secrets';

export interface Writes {
  readonly vaultUrl: string;
  readonly secrets?: readonly { readonly name: string; readonly value: string; readonly contentType?: string }[];
  readonly keys?: readonly { readonly name: string; readonly kty: string; readonly crv?: string }[];
  /** `value` is PEM, or the base64 of PKCS#12. */
  readonly certificates?: readonly { readonly name: string; readonly value: string; readonly pem?: boolean }[];
}

if (import.meta.main) {
  const env = (name: string) => process.env[name] ?? '';
  const credential = new ClientSecretCredential(
    env('AZURE_TENANT_ID'),
    env('AZURE_CLIENT_ID'),
    env('AZURE_CLIENT_SECRET'),
    { authorityHost: env('AZURE_AUTHORITY_HOST'), disableInstanceDiscovery: true },
  );
  const { vaultUrl, secrets = [], keys = [], certificates = [] } = JSON.parse(await text(process.stdin)) as Writes;
  const options = { disableChallengeResourceVerification: true };
  const versions: Record<string, string | undefined> = {};
  const secretClient = new SecretClient(vaultUrl, credential, options);
  for (const { name, value, contentType } of secrets) {
    const set = await secretClient.setSecret(name, value, contentType ? { contentType } : {});
    versions[name] = set.properties.version;
  }
  const keyClient = new KeyClient(vaultUrl, credential, options);
  for (const { name, kty, crv } of keys) {
    const key = await keyClient.createKey(name, kty, crv ? { curve: crv } : {});
    versions[name] = key.properties.version;
  }
  const certificateClient = new CertificateClient(vaultUrl, credential, options);
  for (const { name, value, pem } of certificates) {
    const contentType: CertificateContentType = pem ? 'application/x-pem-file' : 'application/x-pkcs12';
    const bytes = pem ? Buffer.from(value) : Buffer.from(value, 'base64');
    const policy = { issuerName: 'Unknown', subject: 'CN=imported', contentType };
    const imported = await certificateClient.importCertificate(name, bytes, { policy });
    versions[name] = imported.properties.version;
  }
  process.stdout.write(JSON.stringify(versions));
}
