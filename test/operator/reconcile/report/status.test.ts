import { expect, test } from '@jest/globals';
import type { ArmModel } from '../../../../runtime/arm-kinds/model.ts';
import { ManualClock } from '../../../../runtime/base/clock.ts';
import { AzimuthError } from '../../../../runtime/base/errors.ts';
import type { KubeObject } from '../../../../runtime/kube/client/types.ts';
import type { ReconcileDeps } from '../../../../runtime/operator/effects/reconcile-deps.ts';
import type { ReconcileEvents } from '../../../../runtime/operator/reconcile/report/reconcile-events.ts';
import { StatusReporter } from '../../../../runtime/operator/reconcile/report/status.ts';
import { types } from '../../support.ts';

test('a status that somebody nested too deep to compare is replaced', async () => {
  const written: unknown[] = [];
  const shared = {
    runtime: { clock: new ManualClock(0), client: { patch: async (...call: unknown[]) => written.push(call[2]) } },
    metrics: { state: () => undefined },
    records: { stored: (object: KubeObject) => object },
  } as unknown as ReconcileDeps;
  const model = { errorOverrides: [], definition: {} } as unknown as ArmModel;
  const reporter = new StatusReporter(model, types.armResource, shared, {} as ReconcileEvents);
  const resource: unknown = JSON.parse(`${'{"properties":'.repeat(9000)}{}${'}'.repeat(9000)}`);
  const object: KubeObject = {
    apiVersion: 'azimuth.dev/v1alpha1',
    kind: 'ArmResource',
    metadata: { namespace: 'shop', name: 'deep', uid: 'u', generation: 1 },
    status: { resource },
  };
  await reporter.report(object, { error: new AzimuthError('AZ_TERMINAL', 'too deep') }, { attempts: 0 });
  const condition = expect.objectContaining({ type: 'Ready', message: expect.stringContaining('too deep') });
  const operations = [
    { op: 'test', path: '/metadata/uid', value: 'u' },
    { op: 'add', path: '/status', value: { observedGeneration: 1, conditions: expect.arrayContaining([condition]) } },
  ];
  expect(written).toEqual([{ type: 'json', operations }]);
});
