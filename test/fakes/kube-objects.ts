import { type Clock, type ManualClock, systemClock } from '../../runtime/base/clock.ts';
import { silentLogger } from '../../runtime/base/observability/log.ts';
import { createMetrics } from '../../runtime/base/observability/metrics.ts';
import type { Runtime } from '../../runtime/kube/cache/types.ts';
import type { KubeClient, KubeObject, ResourceType } from '../../runtime/kube/client/types.ts';

export const configMaps: ResourceType = {
  group: '',
  version: 'v1',
  plural: 'configmaps',
  kind: 'ConfigMap',
  namespaced: true,
};

export const widgets: ResourceType = {
  group: 'example.org',
  version: 'v1',
  plural: 'widgets',
  kind: 'Widget',
  namespaced: true,
};

export function widget(name: string, spec: object = {}, metadata: object = {}): KubeObject {
  return {
    apiVersion: 'example.org/v1',
    kind: 'Widget',
    metadata: { namespace: 'default', name, ...metadata },
    spec,
  };
}

export function runtimeOf(client: KubeClient, clock: Clock = systemClock): Runtime {
  return { client, clock, log: silentLogger, metrics: createMetrics() };
}

/** Moves a manual clock in steps, letting requests to the fake finish in between. */
export async function pass(clock: ManualClock, ms: number, stepMs = 100): Promise<void> {
  for (let left = ms; left > 0; left -= stepMs) {
    await clock.advance(Math.min(stepMs, left));
    for (let i = 0; i < 6; i++) await new Promise((resolve) => setImmediate(resolve));
  }
}
