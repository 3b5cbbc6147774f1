import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { App, Testing } from 'cdk8s';
import { dashboards } from '../../../constructs/monitoring/dashboards/index.ts';
import { ProgramDashboard, type ProgramDashboardProps } from '../../../constructs/monitoring/program-dashboard.ts';
import { Platform } from '../../../constructs/platform.ts';
import { createMetrics, type Metrics } from '../../../runtime/base/observability/metrics.ts';
import { identityMetrics } from '../../../runtime/identity/identity-metrics.ts';
import { requestMetrics } from '../../../runtime/kube/client/request-metrics.ts';
import { leaseMetrics } from '../../../runtime/kube/leader-election/lease-metrics.ts';
import { NmiMetrics } from '../../../runtime/nmi/nmi-metrics.ts';
import { SecretsMetrics } from '../../../runtime/secrets/secrets-metrics.ts';
import { VolumeMetrics } from '../../../runtime/volumes/agent/volume-metrics.ts';
import { startWorld, type World } from '../../operator/support.ts';

import { syntaxErrors } from './promql.ts';

const programs = ['operator', 'identity', 'nmi', 'secrets', 'volumes'] as const;
type Program = (typeof programs)[number];
const props: Omit<ProgramDashboardProps, 'program'> = { namespace: 'monitoring', version: '1.2.3' };

interface Shown {
  readonly title: string;
  readonly type: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
}

function configMap(program: Program, more: Partial<ProgramDashboardProps> = {}) {
  const chart = Testing.chart();
  new ProgramDashboard(chart, 'Dashboard', { ...props, program, ...more });
  const [manifest] = Testing.synth(chart);
  return manifest;
}

const dashboardOf = (program: Program) =>
  JSON.parse(configMap(program).data[`azimuth-${program}.json`]) as {
    readonly uid: string;
    readonly panels: readonly Shown[];
    readonly templating: { readonly list: readonly { readonly name: string; readonly query: string }[] };
  };

/** The metrics that each program has besides those that several have. */
const own: Readonly<Record<Exclude<Program, 'operator'>, (metrics: Metrics) => void>> = {
  identity: (metrics) => void identityMetrics(metrics, { desired: () => 0, machines: () => 0, certificates: () => [] }),
  nmi: (metrics) => {
    const nmi = new NmiMetrics(metrics);
    nmi.waiting(() => 0);
    nmi.redirection(true);
  },
  secrets: (metrics) => void new SecretsMetrics(metrics, () => []),
  volumes(metrics) {
    const made = new VolumeMetrics(metrics);
    made.installed(true);
    made.onScrape(() => ({ count: 0, oldestSeconds: 0 }));
  },
};

/** Labels by metric and program, of histograms also the series that Prometheus makes of them. */
const registered = new Map<Program, Map<string, readonly string[]>>();
let world: World;

async function labelsByMetric(...registries: readonly Metrics[]): Promise<Map<string, readonly string[]>> {
  const labels = new Map<string, readonly string[]>();
  for (const registry of registries) {
    for (const { name, type } of await registry.getMetricsAsJSON()) {
      const { labelNames } = registry.getSingleMetric(name) as unknown as { readonly labelNames: readonly string[] };
      labels.set(name, labelNames);
      if (String(type) !== 'histogram') continue;
      labels.set(`${name}_bucket`, [...labelNames, 'le']);
      labels.set(`${name}_count`, labelNames);
    }
  }
  return labels;
}

beforeAll(async () => {
  world = await startWorld();
  const { metrics } = await world.startOperator();
  const common = createMetrics('test');
  leaseMetrics(common, 'test');
  requestMetrics(common);
  registered.set('operator', await labelsByMetric(metrics, common));
  const shared = [...(registered.get('operator') ?? [])].filter(([name]) => !name.startsWith('azimuth_operator_'));
  for (const [program, register] of Object.entries(own) as [Exclude<Program, 'operator'>, (m: Metrics) => void][]) {
    const registry = createMetrics();
    register(registry);
    registered.set(program, new Map([...shared, ...(await labelsByMetric(registry))]));
  }
});
afterAll(() => world?.close());

/** Words of PromQL, Grafana's variables, and the label that Prometheus itself puts on everything. */
const language = /^(sum|min|max|count|by|or|rate|time|vector|histogram_quantile|label_values|instance|\d.*)$/;

/** The metrics of an expression with all labels that it uses, in selectors, groupings and the legend. */
function parse(expr: string, legend: string) {
  const bare = expr.replaceAll(/"[^"]*"|\$__rate_interval|\[[^\]]*\]/g, '');
  const words = [...bare.matchAll(/[a-zA-Z_][a-zA-Z0-9_:]*/g)]
    .map(([word]) => word)
    .filter((word) => !language.test(word));
  const metrics = words.filter((word) =>
    /^(azimuth|aadpodidentity|workqueue|controller_runtime|leader|process|nodejs)_/.test(word),
  );
  const shown = [...legend.matchAll(/\{\{(\w+)\}\}/g)]
    .map(([, label = '']) => label)
    .filter((label) => !language.test(label));
  return { metrics, labels: [...words.filter((word) => !metrics.includes(word)), ...shown] };
}

test.each(programs)('every query for %s asks for metrics that it registers, by labels that they have', (program) => {
  const known = registered.get(program) ?? new Map<string, readonly string[]>();
  const targets = dashboardOf(program).panels.flatMap(({ targets = [] }) => targets);
  expect(targets.length).toBeGreaterThan(10);
  for (const { expr, legendFormat } of targets) {
    const { metrics, labels } = parse(expr, legendFormat);
    expect(metrics).not.toEqual([]);
    for (const metric of metrics) expect([...known.keys()]).toContain(metric);
    const has = metrics.flatMap((metric) => known.get(metric) ?? []);
    for (const label of labels) expect({ expr, has }).toMatchObject({ has: expect.arrayContaining([label]) });
  }
});

test.each(programs)('every query for %s is about the selected replicas of that program', (program) => {
  const { panels, templating } = dashboardOf(program);
  const [, instance] = templating.list;
  expect(instance).toMatchObject({
    name: 'instance',
    query: `label_values(azimuth_build_info{program="${program}"}, instance)`,
  });
  for (const { expr } of panels.flatMap(({ targets = [] }) => targets)) {
    const metrics = parse(expr, '').metrics.length;
    expect({ expr, selected: expr.split('{instance=~"$instance"').length - 1 }).toEqual({ expr, selected: metrics });
  }
});

test.each(programs)('every query for %s is PromQL by the grammar of Prometheus', (program) => {
  for (const { expr } of dashboardOf(program).panels.flatMap(({ targets = [] }) => targets)) {
    expect({ expr, errors: syntaxErrors(expr) }).toEqual({ expr, errors: [] });
  }
});

test('the variables come from metrics that the operator registers', () => {
  const { list } = dashboardOf('operator').templating;
  expect(list.map(({ name }) => name)).toEqual(['datasource', 'instance', 'kind']);
  const { metrics, labels } = parse(list[2]?.query ?? '', '');
  expect(registered.get('operator')?.get(metrics[0] ?? '')).toEqual(expect.arrayContaining(labels));
});

test.each(programs)('what %s adds to the metrics of all programs is shown', (program) => {
  const asked = JSON.stringify(dashboardOf(program));
  const prefix =
    program === 'operator' ? /^azimuth_operator_/ : /^aadpodidentity_|^azimuth_(identity|nmi|secrets|volumes)_/;
  const names = [...(registered.get(program)?.keys() ?? [])].filter(
    (name) => prefix.test(name) && !/_bucket$|_count$/.test(name),
  );
  expect(names.length).toBeGreaterThan(4);
  expect(names.filter((name) => !asked.includes(name))).toEqual([]);
});

test.each(programs)('panels for %s do not overlap, and each says what it shows', (program) => {
  const { panels } = dashboardOf(program);
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, index) => `${x + (index % w)},${y + Math.floor(index / w)}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
  expect(new Set(panels.map(({ title }) => title)).size).toBe(panels.length);
});

test('the sidecar finds the ConfigMap by its label, which can be set', () => {
  expect(configMap('operator').metadata).toMatchObject({
    name: 'azimuth-operator-dashboard',
    namespace: 'monitoring',
    labels: { grafana_dashboard: '1', 'app.kubernetes.io/version': '1.2.3' },
    annotations: { grafana_folder: 'Azimuth' },
  });
  const other = configMap('operator', { sidecarLabels: { dashboards: 'yes' }, folder: 'Clouds' }).metadata;
  expect(other.labels).toMatchObject({ dashboards: 'yes' });
  expect(other.labels).not.toHaveProperty('grafana_dashboard');
  expect(other.annotations).toEqual({ grafana_folder: 'Clouds' });
});

test('a platform has a dashboard for each of its programs, and no two have one id', () => {
  const app = new App();
  new Platform(app, 'azimuth', {
    version: '1.2.3',
    image: 'azimuth',
    podIdentity: {},
    keyVaultVolumes: {},
    machineSecrets: { endpoint: { audiences: ['api://azimuth'] } },
    dashboard: {},
  });
  const objects = app.charts.flatMap((chart) => chart.toJson() as { kind: string; metadata: { name: string } }[]);
  const names = objects
    .filter(({ kind }) => kind === 'ConfigMap')
    .map(({ metadata }) => metadata.name)
    .filter((name) => name.endsWith('-dashboard'));
  expect(names.sort()).toEqual([...programs].sort().map((program) => `azimuth-${program}-dashboard`));
  expect(new Set(Object.values(dashboards).map(({ uid }) => uid)).size).toBe(programs.length);
});
