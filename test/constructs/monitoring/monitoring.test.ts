import { globSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { Testing } from 'cdk8s';
import { alerts } from '../../../constructs/monitoring/alerts.ts';
import { Monitoring } from '../../../constructs/monitoring/monitoring.ts';
import { createMetrics } from '../../../runtime/base/observability/metrics.ts';
import { version } from '../../../runtime/base/version.ts';
import { VolumeMetrics } from '../../../runtime/volumes/agent/volume-metrics.ts';
import { syntaxErrors } from './promql.ts';

function synth(programs: ConstructorParameters<typeof Monitoring>[2]['programs']) {
  const chart = Testing.chart();
  new Monitoring(chart, 'Monitoring', {
    namespace: 'azimuth-system',
    version: '1.2.3',
    programs,
    labels: { release: 'p' },
  });
  return Testing.synth(chart) as { kind: string; metadata: { name: string; labels: object }; spec: never }[];
}

test('each program has a PodMonitor for its pods in its namespace, with the labels that Prometheus selects', () => {
  const monitors = synth({ operator: 'azimuth-system', nmi: 'nodes' }).filter(({ kind }) => kind === 'PodMonitor');
  expect(monitors.map(({ metadata }) => metadata.name)).toEqual(['azimuth-operator', 'azimuth-nmi']);
  expect(monitors[1]).toMatchObject({
    metadata: { labels: { release: 'p' } },
    spec: {
      namespaceSelector: { matchNames: ['nodes'] },
      selector: { matchLabels: { 'app.kubernetes.io/component': 'nmi' } },
      // On the network of the node no NetworkPolicy protects it.
      podMetricsEndpoints: [
        {
          port: 'metrics',
          path: '/metrics',
          scheme: 'https',
          authorization: { credentials: { name: 'azimuth-metrics-reader', key: 'token' } },
        },
      ],
    },
  });
  expect(monitors[0]).toMatchObject({ spec: { podMetricsEndpoints: [{ port: 'health', path: '/metrics' }] } });
});

test('there are alerts of the deployed programs only', () => {
  const rules = synth({ volumes: 'nodes' }).filter(({ kind }) => kind === 'PrometheusRule');
  expect(rules.map(({ metadata }) => metadata.name)).toEqual([
    'azimuth-program-down',
    'azimuth-mounts-failing',
    'azimuth-driver-not-installed',
    'azimuth-volumes-not-refreshed',
    'azimuth-events-dropped',
  ]);
  const alert = 'AzimuthVolumesNotRefreshed';
  const annotations = { runbook_url: `docs/guides/runbooks.md#${alert.toLowerCase()}` };
  expect(rules[3]).toMatchObject({
    metadata: { labels: { release: 'p' } },
    spec: { groups: [{ name: alert, rules: [{ alert, annotations }] }] },
  });
});

test('every alert has a runbook, and every runbook an alert', () => {
  const headings = [...readFileSync('docs/guides/runbooks.md', 'utf8').matchAll(/^## (.*)$/gm)].map(([, name]) => name);
  expect(headings).toEqual(alerts.map(({ name }) => name));
});

/** Metrics with their labels, as the reference has them; its own tests compare it with the programs. */
const reference = globSync('docs/reference/*.md')
  .map((page) => readFileSync(page, 'utf8'))
  .join('\n');

test.each(alerts)('$name asks for metrics that a program has', ({ expr }) => {
  const metrics = [...expr.matchAll(/\b(?:azimuth|leader|aadpodidentity)_[a-z_]+|\bup(?=\{)/g)].map(([name]) =>
    name.replace(/_seconds_count$/, '_seconds'),
  );
  expect(metrics.length).toBeGreaterThan(0);
  // Prometheus itself adds `up`.
  for (const metric of metrics.filter((name) => name !== 'up')) expect(reference).toContain(`| \`${metric}\` |`);
});

test.each(alerts)('$name is PromQL by the grammar of Prometheus', ({ expr }) => {
  expect(syntaxErrors(expr)).toEqual([]);
});

test('a text that is no PromQL is found', () => {
  expect(syntaxErrors('sum by (a) (rate(b[5m])')).not.toEqual([]);
  expect(syntaxErrors('rate(b[5m]) >')).not.toEqual([]);
});

test('an agent that installs no driver has no metric of one, so no alert fires', async () => {
  const metrics = createMetrics();
  const made = new VolumeMetrics(metrics);
  expect(await metrics.metrics()).not.toContain('azimuth_volumes_driver_installed');
  made.installed(false);
  expect(await metrics.metrics()).toContain('azimuth_volumes_driver_installed 0');
});

test('a program reports its version', async () => {
  const text = await createMetrics('operator').metrics();
  expect(text).toContain(
    `azimuth_build_info{program="operator",version="${version}",node_version="${process.versions.node}"} 1`,
  );
});
