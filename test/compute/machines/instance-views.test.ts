import { expect, test } from '@jest/globals';
import { instanceOf, rollingUpgradeOf } from '../../../runtime/compute/machines/instance-views.ts';

const view = (health: string | undefined, power: string, properties: object = {}) => ({
  instanceId: '7',
  properties: {
    latestModelApplied: true,
    provisioningState: 'Succeeded',
    instanceView: {
      ...(health && { vmHealth: { status: { code: `HealthState/${health}` } } }),
      statuses: [{ code: 'ProvisioningState/succeeded' }, { code: `PowerState/${power}` }],
    },
    ...properties,
  },
});
const well = { id: '7', latestModelApplied: true, healthy: true, running: true };

test.each([
  ['healthy and running', view('healthy', 'running'), well],
  ['unhealthy', view('unhealthy', 'running'), { ...well, healthy: false }],
  ['of unknown health, which counts as unhealthy', view('unknown', 'running'), { ...well, healthy: false }],
  ['without a health source', view(undefined, 'running'), well],
  [
    'failed without a health source',
    view(undefined, 'running', { provisioningState: 'Failed' }),
    { ...well, healthy: false },
  ],
  ['deallocated', view('healthy', 'deallocated'), { ...well, running: false }],
  ['updating', view('healthy', 'running', { provisioningState: 'Updating' }), { ...well, upgrading: true }],
  [
    'behind the model',
    view('healthy', 'running', { latestModelApplied: 'yes' }),
    { ...well, latestModelApplied: false },
  ],
  ['of a Flexible set', { name: 'web_1', properties: {} }, { ...well, id: 'web_1', latestModelApplied: false }],
  ['being deleted', view('healthy', 'running', { provisioningState: 'Deleting' }), undefined],
  ['no object', 'x', undefined],
  ['without an id', { properties: {} }, undefined],
])('an instance that is %s', (_, item, expected) => {
  expect(instanceOf(item)).toEqual(expected);
});

test('the newest rolling upgrade has its state and the reason of its end', () => {
  const error = { code: 'MaxUnhealthy', message: 'too many', details: [] };
  const body = { properties: { runningStatus: { code: 'Faulted' }, error } };
  expect(rollingUpgradeOf(body)).toEqual({ code: 'Faulted', error: { code: 'MaxUnhealthy', message: 'too many' } });
  expect(rollingUpgradeOf({ properties: { runningStatus: { code: 'Completed' } } })).toEqual({ code: 'Completed' });
  for (const other of [undefined, {}, { properties: { runningStatus: 'x' } }])
    expect(rollingUpgradeOf(other)).toBeUndefined();
});
