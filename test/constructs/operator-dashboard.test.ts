import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Testing } from 'cdk8s';
import { OperatorDashboard, type OperatorDashboardProps } from '../../constructs/operator-dashboard.ts';
import { createMetrics } from '../../runtime/base/observability/metrics.ts';
import { requestMetrics } from '../../runtime/kube/client/request-metrics.ts';
import { leaseMetrics } from '../../runtime/kube/leader-election/lease-metrics.ts';
import { startWorld, type World } from '../operator/support.ts';

const props: OperatorDashboardProps = { namespace: 'monitoring', version: '1.2.3' };

interface Shown {
  readonly title: string;
  readonly type: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
}

function configMap(more: Partial<OperatorDashboardProps> = {}) {
  const chart = Testing.chart();
  new OperatorDashboard(chart, 'Dashboard', { ...props, ...more });
  const [manifest] = Testing.synth(chart);
  return manifest;
}

const dashboard = () =>
  JSON.parse(configMap().data['azimuth-operator.json']) as {
    readonly panels: readonly Shown[];
    readonly templating: { readonly list: readonly { readonly name: string; readonly query: string }[] };
  };

/** Labels by metric, as a running operator registers them; of histograms also the series Prometheus makes of them. */
const registered = new Map<string, readonly string[]>();
let world: World;

beforeAll(async () => {
  world = await startWorld();
  const { metrics } = await world.startOperator();
  const others = createMetrics({ defaults: true });
  leaseMetrics(others, 'test');
  requestMetrics(others);
  for (const registry of [metrics, others]) {
    for (const { name, type } of await registry.getMetricsAsJSON()) {
      const { labelNames } = registry.getSingleMetric(name) as unknown as { readonly labelNames: readonly string[] };
      registered.set(name, labelNames);
      if (String(type) === 'histogram') registered.set(`${name}_bucket`, [...labelNames, 'le']);
    }
  }
});
afterAll(() => world?.close());

/** Words of PromQL, Grafana's variables, and the label that Prometheus itself puts on everything. */
const language = /^(sum|min|max|by|and|on|rate|histogram_quantile|label_values|instance|\d.*)$/;

/** The metrics of an expression with all labels that it uses, in selectors, groupings and the legend. */
function parse(expr: string, legend: string) {
  const bare = expr.replaceAll(/"[^"]*"|\$__rate_interval|\[[^\]]*\]/g, '');
  const words = [...bare.matchAll(/[a-zA-Z_][a-zA-Z0-9_:]*/g)]
    .map(([word]) => word)
    .filter((word) => !language.test(word));
  const metrics = words.filter((word) => /^(azimuth|workqueue|controller_runtime|leader|process|nodejs)_/.test(word));
  const shown = [...legend.matchAll(/\{\{(\w+)\}\}/g)]
    .map(([, label = '']) => label)
    .filter((label) => !language.test(label));
  return { metrics, labels: [...words.filter((word) => !metrics.includes(word)), ...shown] };
}

test('every query asks for metrics that the operator registers, by labels that they have', () => {
  const targets = dashboard().panels.flatMap(({ targets = [] }) => targets);
  expect(targets.length).toBeGreaterThan(20);
  for (const { expr, legendFormat } of targets) {
    const { metrics, labels } = parse(expr, legendFormat);
    expect(metrics).not.toEqual([]);
    for (const metric of metrics) expect([...registered.keys()]).toContain(metric);
    const known = metrics.flatMap((metric) => registered.get(metric) ?? []);
    for (const label of labels) expect({ expr, known }).toMatchObject({ known: expect.arrayContaining([label]) });
  }
});

test('the variables come from metrics that the operator registers', () => {
  const { list } = dashboard().templating;
  expect(list.map(({ name }) => name)).toEqual(['datasource', 'kind']);
  const { metrics, labels } = parse(list[1]?.query ?? '', '');
  expect(registered.get(metrics[0] ?? '')).toEqual(expect.arrayContaining(labels));
});

test('what the operator adds to the metrics of all programs is shown', () => {
  const asked = dashboard()
    .panels.flatMap(({ targets = [] }) => targets)
    .map(({ expr }) => expr)
    .join('\n');
  const own = [...registered.keys()].filter(
    (name) => name.startsWith('azimuth_operator_') && !name.endsWith('_bucket'),
  );
  expect(own.filter((name) => !asked.includes(name))).toEqual([]);
});

test('panels do not overlap, and each says what it shows', () => {
  const { panels } = dashboard();
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, index) => `${x + (index % w)},${y + Math.floor(index / w)}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
  expect(new Set(panels.map(({ title }) => title)).size).toBe(panels.length);
});

test('the sidecar finds the ConfigMap by its label, which can be set', () => {
  expect(configMap().metadata).toMatchObject({
    name: 'azimuth-operator-dashboard',
    namespace: 'monitoring',
    labels: { grafana_dashboard: '1', 'app.kubernetes.io/version': '1.2.3' },
    annotations: { grafana_folder: 'Azimuth' },
  });
  const other = configMap({ sidecarLabels: { dashboards: 'yes' }, folder: 'Clouds' }).metadata;
  expect(other.labels).toMatchObject({ dashboards: 'yes' });
  expect(other.labels).not.toHaveProperty('grafana_dashboard');
  expect(other.annotations).toEqual({ grafana_folder: 'Clouds' });
});
