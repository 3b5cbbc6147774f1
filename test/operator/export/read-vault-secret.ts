/** Reads a secret with Azure's own client, as the environment says, and prints it: `uri name`. */
import { ClientSecretCredential } from '@azure/identity';
import { SecretClient } from '@azure/keyvault-secrets';

const [uri = '', name = ''] = process.argv.slice(2);
const env = (variable: string) => process.env[variable] ?? '';
const credential = new ClientSecretCredential(
  env('AZURE_TENANT_ID'),
  env('AZURE_CLIENT_ID'),
  env('AZURE_CLIENT_SECRET'),
  { authorityHost: env('AZURE_AUTHORITY_HOST'), disableInstanceDiscovery: true },
);
// The emulator has no name below the domain of vaults that every machine resolves.
const client = new SecretClient(uri, credential, { disableChallengeResourceVerification: true });
const { value, properties } = await client.getSecret(name);
process.stdout.write(JSON.stringify({ value, contentType: properties.contentType }));
