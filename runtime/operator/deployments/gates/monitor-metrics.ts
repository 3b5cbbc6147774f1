import { randomUUID } from 'node:crypto';
import type { GateCheckSpec } from '../../../api/deployments/wave-gate.ts';
import { annotations } from '../../../arm-kinds/names.ts';
import type { Clock } from '../../../base/clock.ts';
import { tryParseDuration } from '../../../base/duration.ts';
import { AzimuthError } from '../../../base/errors.ts';
import { isObject } from '../../../base/json.ts';
import type { KubeObject } from '../../../kube/client/types.ts';
import type { TemplateAnswersDeps } from '../template-answers.ts';

/** Source: Azure Monitor REST, Metrics - List, 2023-10-01. */
const apiVersion = '2023-10-01';
const defaultWindowMs = 300_000;
const minuteMs = 60_000;

type MetricCheck = NonNullable<GateCheckSpec['azureMonitor']>;

/** Dependencies of `MonitorMetrics`. */
export interface MonitorMetricsDeps extends TemplateAnswersDeps {
  readonly clock: Pick<Clock, 'now'>;
}

/**
 * Values of Azure Monitor for gates. The text is a tenant's: a metric is read only of an object that the deployment has
 * made, under the ARM id that the operator has recorded, with the credential and within the scopes of that object.
 */
export class MonitorMetrics {
  readonly #deps: MonitorMetricsDeps;

  constructor(deps: MonitorMetricsDeps) {
    this.#deps = deps;
  }

  /** The value of the window, undefined where Azure has none. Rejects with AZ_TERMINAL for another object. */
  async value(deployment: KubeObject, check: MetricCheck, signal: AbortSignal): Promise<number | undefined> {
    const { arm, objects, credentials, scopes, children, clock } = this.#deps;
    const { namespace = '', uid = '' } = deployment.metadata;
    const { resource, metric, aggregation = 'Average', window } = check;
    const [kind = '', ...rest] = resource.kind.split('.');
    const key = { namespace, name: resource.name };
    const child = children.get(key, { group: rest.join('.'), kind }, uid);
    const object = child && objects.get(rest.join('.'), kind, key);
    const id = object?.metadata.annotations?.[annotations.resourceId];
    if (!object || id === undefined) {
      const message = `${resource.kind} ${resource.name} is no object of the deployment with an ARM id`;
      throw new AzimuthError('AZ_TERMINAL', message);
    }
    const { credential, usesOperatorCredential } = await credentials.credentialFor(object, signal);
    if (!credential) throw new Error(`The credential of ${resource.name} does not exist`);
    if (usesOperatorCredential) scopes.checkReach(object, id);
    const windowMs = Math.max(minuteMs, tryParseDuration(window ?? '') ?? defaultWindowMs);
    const now = clock.now();
    const query = new URLSearchParams({
      metricnames: metric,
      aggregation,
      timespan: `${new Date(now - windowMs).toISOString()}/${new Date(now).toISOString()}`,
      interval: 'PT1M',
    });
    const { body } = await arm.send({
      method: 'GET',
      path: `${id}/providers/Microsoft.Insights/metrics?${query}`,
      apiVersion,
      authorizer: credential.authorizer,
      correlationId: randomUUID(),
      share: namespace,
      signal,
    });
    return together(aggregation, valuesOf(body, aggregation.toLowerCase()));
  }
}

/** The values of all minutes and series that have one. */
function valuesOf(body: unknown, member: string): number[] {
  const list = (value: unknown, name: string): unknown[] => {
    const found = isObject(value) ? value[name] : undefined;
    return Array.isArray(found) ? found : [];
  };
  const points = list(body, 'value').flatMap((metric) =>
    list(metric, 'timeseries').flatMap((each) => list(each, 'data')),
  );
  return points.flatMap((point) => (isObject(point) && typeof point[member] === 'number' ? [point[member]] : []));
}

function together(aggregation: NonNullable<MetricCheck['aggregation']>, values: readonly number[]): number | undefined {
  if (values.length === 0) return undefined;
  if (aggregation === 'Maximum') return Math.max(...values);
  if (aggregation === 'Minimum') return Math.min(...values);
  const sum = values.reduce((all, each) => all + each, 0);
  return aggregation === 'Average' ? sum / values.length : sum;
}
