import { afterEach } from '@jest/globals';
import { createArmClient } from '../../../runtime/azure/arm/client.ts';
import { RateLimiter } from '../../../runtime/azure/arm/rate-limiter.ts';
import type { ManualClock } from '../../../runtime/base/clock.ts';
import { createMetrics } from '../../../runtime/base/observability/metrics.ts';
import { FakeAzure, type FakeHandler } from '../../fakes/azure-server.ts';
import { cloudAt, countingAuthorizer, dispatcherFor } from '../support.ts';

/** The ARM id of a vault. */
export const vault = '/subscriptions/s1/resourceGroups/rg/providers/Microsoft.KeyVault/vaults/kv';
/** Ends what a test started; each test empties it. */
export const cleanup: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of cleanup.splice(0).reverse()) await close();
});

/** A client of an ARM that answers by `handler`. */
export async function setup(
  handler: FakeHandler,
  more: { clock?: ManualClock; allowedHosts?: string[]; mayWrite?: () => void } = {},
) {
  const server = await FakeAzure.start(handler);
  const dispatcher = dispatcherFor(server.ca);
  const metrics = createMetrics();
  const { clock } = more;
  const rateLimiter = new RateLimiter({ metrics, ...(clock ? { clock } : {}) });
  const client = createArmClient({ cloud: cloudAt(server.url), dispatcher, metrics, rateLimiter, ...more });
  const authorizer = countingAuthorizer(clock ? () => clock.now() : undefined);
  cleanup.push(
    () => server[Symbol.asyncDispose](),
    () => client.close(),
  );
  return { server, client, authorizer, metrics };
}
