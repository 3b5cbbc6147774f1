import { expect, test } from '@jest/globals';
import { ManualClock } from '../../runtime/base/clock.ts';
import { silentLogger } from '../../runtime/base/observability/log.ts';
import { createMetrics, metricsText } from '../../runtime/base/observability/metrics.ts';
import { failureLine } from '../../runtime/cli/exit/failure.ts';
import type { NmiConfig } from '../../runtime/nmi/config/config.ts';
import type { MetadataServer } from '../../runtime/nmi/http/server.ts';
import { Listeners, type ListenersDeps } from '../../runtime/nmi/listeners.ts';
import { NmiMetrics } from '../../runtime/nmi/nmi-metrics.ts';
import type { Redirection } from '../../runtime/nmi/redirection/redirection.ts';

/** Listeners with a server that listens nowhere, and their metrics as text. */
function listeners(redirection: Partial<Redirection> | undefined, listen: () => Promise<number> = async () => 2579) {
  const registry = createMetrics();
  const made = new Listeners({
    server: { listen } as unknown as MetadataServer,
    redirection: redirection as Redirection | undefined,
    config: { port: 2579, listenAddress: '127.0.0.1', hostSocket: undefined } as NmiConfig,
    metrics: new NmiMetrics(registry),
    log: silentLogger,
    clock: new ManualClock(),
  } satisfies ListenersDeps);
  return { made, ready: async () => /^azimuth_nmi_redirection_ready (\d)/m.exec(await metricsText(registry)())?.[1] };
}

test('a daemon without redirection has no metric of it, which an alert would take for broken rules', async () => {
  const { made, ready } = listeners(undefined);
  await made.open();
  expect(await ready()).toBeUndefined();
});

test('the metric of the redirection is 0 until the rules are in place', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { made, ready } = listeners({ addresses: [], ensure: () => promise });
  const opened = made.open();
  expect(await ready()).toBe('0');
  resolve();
  await opened;
  expect(await ready()).toBe('1');
});

test('the error about a process on the redirect address gives its advice once, and the only one that helps', async () => {
  const taken = Object.assign(new Error('listen EADDRINUSE'), { code: 'EADDRINUSE', syscall: 'listen' });
  const redirection = { addresses: ['169.254.169.253'], ensure: async () => {}, admit: () => {} };
  const { made } = listeners(redirection, () => Promise.reject(taken));
  const error = await made.open().catch((thrown: unknown) => thrown);
  const line = failureLine(error);
  expect(line).toContain('AZ_REDIRECTION_FAILED');
  expect(line.match(/nother process/g)).toHaveLength(1);
  expect(line.match(/ss -ltnp/g)).toHaveLength(1);
  expect(line).not.toContain('another port');
});
