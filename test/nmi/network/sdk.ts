/** What an application in a pod does: asks the unmodified SDK for a token, and prints whose it is. */
import { ManagedIdentityCredential } from '@azure/identity';

const { token } = await new ManagedIdentityCredential().getToken('https://vault.azure.net/.default');
const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8')) as { appid: string };
process.stdout.write(`${claims.appid}\n`);
