import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { createMetrics } from '../../../runtime/base/observability/metrics.ts';
import { secretMetrics } from '../../../runtime/operator/managed-secrets/secret-metrics.ts';

const hour = 3_600_000;

test('the guide lists exactly the metrics of managed secrets', async () => {
  const metrics = createMetrics();
  secretMetrics(metrics, () => 0);
  const found = (await metrics.getMetricsAsJSON()).map(({ name, type, help }) => `| \`${name}\` | ${type} | ${help} |`);
  const guide = readFileSync('docs/guides/managed-secrets.md', 'utf8');
  expect(guide.match(/^\| `azimuth_.*$/gm)?.sort()).toEqual(found.sort());
});

test('there is one series for each kind, however many objects there are', async () => {
  const metrics = createMetrics();
  const measured = secretMetrics(metrics, () => 10 * hour);
  for (let count = 0; count < 1000; count++)
    measured.measure(`uid-${count}`, { kind: 'Password', created: (9 - (count % 3)) * hour, stale: count % 2 });
  const text = await metrics.metrics();
  expect(text).toContain('azimuth_operator_managed_secret_oldest_seconds{kind="Password"} 10800');
  expect(text).toContain('azimuth_operator_managed_secret_stale_copies{kind="Password"} 500');
  expect(text.match(/oldest_seconds\{/g)).toHaveLength(6);
  for (let count = 0; count < 1000; count++) measured.measure(`uid-${count}`, undefined);
  expect(await metrics.metrics()).toContain('azimuth_operator_managed_secret_oldest_seconds{kind="Password"} 0');
});
