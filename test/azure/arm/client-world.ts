import { createArmClient } from '../../../runtime/azure/arm/client.ts';
import { RateLimiter } from '../../../runtime/azure/arm/rate-limiter.ts';
import type { ManualClock } from '../../../runtime/base/clock.ts';
import { createMetrics } from '../../../runtime/base/observability/metrics.ts';
import { afterwards } from '../../fakes/afterwards.ts';
import { FakeAzure, type FakeHandler } from '../../fakes/azure-server.ts';
import { cloudAt, countingAuthorizer, dispatcherFor } from '../support.ts';

/** The ARM id of a vault. */
export const vault = '/subscriptions/s1/resourceGroups/rg/providers/Microsoft.KeyVault/vaults/kv';

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
  afterwards(
    () => server[Symbol.asyncDispose](),
    () => client.close(),
  );
  return { server, client, authorizer, metrics };
}
