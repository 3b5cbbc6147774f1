/** Asks @azure/identity for a token. Arguments: `default` or `managed`, and a client id or ''. */
import { DefaultAzureCredential, ManagedIdentityCredential } from '@azure/identity';

const [mode, clientId = ''] = process.argv.slice(2);
const credential =
  mode === 'default'
    ? new DefaultAzureCredential(clientId ? { managedIdentityClientId: clientId } : {})
    : clientId
      ? new ManagedIdentityCredential({ clientId })
      : new ManagedIdentityCredential();
const started = performance.now();
let text = 'token';
try {
  await credential.getToken('https://vault.azure.net/.default');
} catch (error) {
  text = String(error);
}
process.stdout.write(`${JSON.stringify({ ms: Math.round(performance.now() - started), text })}\n`);
