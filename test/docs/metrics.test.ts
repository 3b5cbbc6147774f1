import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { CertificateExpiry } from '../../runtime/azure/identity/certificate-expiry.ts';
import { createDispatcher } from '../../runtime/base/http/client.ts';
import { silentLogger } from '../../runtime/base/observability/log.ts';
import type { Metrics } from '../../runtime/base/observability/metrics.ts';
import { OtlpExporter } from '../../runtime/base/observability/otlp.ts';
import { requestMetrics } from '../../runtime/kube/client/request-metrics.ts';
import { leaseMetrics } from '../../runtime/kube/leader-election/lease-metrics.ts';
import { metricsReads } from '../../runtime/kube/metrics/serve-metrics.ts';
import { startWorld, type World } from '../operator/support.ts';

const rowsOf = (path: string) => [
  ...readFileSync(path, 'utf8').matchAll(/^\| `([a-z_]+)` \| (counter|gauge|histogram) \| (.*) \|$/gm),
];

let world: World;
let metrics: Metrics;

beforeAll(async () => {
  world = await startWorld();
  ({ metrics } = await world.startOperator());
  leaseMetrics(metrics, 'test');
  requestMetrics(metrics);
  metricsReads(metrics);
  new CertificateExpiry(silentLogger, metrics);
  const dispatcher = createDispatcher();
  const endpoint = 'http://127.0.0.1:1';
  await new OtlpExporter({ endpoint, resource: {}, dispatcher, log: silentLogger, metrics }).close();
});
afterAll(() => world?.close());

test('the pages list exactly the metrics that a running operator registers, with type and meaning', async () => {
  const found = (await metrics.getMetricsAsJSON()).map(({ name, type, help }) => [name, String(type), help]);
  const pages = ['docs/reference/metrics.md', 'docs/reference/operator.md'].flatMap(rowsOf);
  const listed = pages.map(([, ...cells]) => cells);
  expect(listed.sort()).toEqual(found.sort());
});
