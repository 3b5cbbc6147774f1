/**
 * A token service and a vault in a process of their own, for the bench: `kv-azure.ts MILLISECONDS` that each answer takes.
 * Tells where it listens, and when asked, how long it took over what was asked for.
 */
import { FakeAzure } from '../../fakes/azure-server.ts';

export interface AzureAddress {
  readonly url: string;
  readonly port: number;
  readonly ca: string;
}

export interface AzureUsage {
  readonly cpuMs: number;
  /**
   * Milliseconds by the name of a secret, or of a tenant whose token was asked for: from a request that was read to the
   * answer that is written next. So neither the network nor TLS is in it, which count as the driver's and the agent's.
   */
  readonly trips: Readonly<Record<string, number>>;
}

const roundTripMs = Number(process.argv[2]);
const trips: Record<string, number> = {};
const id = 'https://kv1.vault.localhost/secrets/one/0123456789abcdef0123456789abcdef';

const azure = await FakeAzure.start(
  async ({ url }) => {
    const started = performance.now();
    await new Promise((resolve) => setTimeout(resolve, roundTripMs));
    // /secrets/NAME?... and /TENANT/oauth2/v2.0/token
    const [, first = '', second = ''] = new URL(url, 'https://vault').pathname.split('/');
    const isSecret = first === 'secrets';
    const name = isSecret ? second : first;
    trips[name] = (trips[name] ?? 0) + performance.now() - started;
    return isSecret
      ? { body: { value: 'a secret', id, attributes: { enabled: true } } }
      : { body: { access_token: 'token', expires_in: 3599, token_type: 'Bearer' } };
  },
  { hosts: ['*.vault.localhost'] },
);
process.send?.({ url: azure.url, port: azure.port, ca: azure.ca } satisfies AzureAddress);
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ cpuMs: (user + system) / 1000, trips } satisfies AzureUsage);
});
process.on('disconnect', () => process.exit(0));
