import { type RunLine, type RunView, runView, type WatchedRun } from '../../../runtime/view/watch/run-view.ts';
import { object } from '../support.ts';

const apiVersion = 'azimuth.dev/v1alpha1';

export const deployment = (status: object = { run: 'shop-2' }, condition: object = {}, metadata: object = {}) =>
  object(apiVersion, 'ComputeDeployment', 'shop', {
    metadata: { generation: 2, ...metadata },
    status: {
      ...status,
      conditions: [{ type: 'Ready', status: 'False', reason: 'Reconciling', observedGeneration: 2, ...condition }],
    },
  });

export const run = (status: object = {}) =>
  object(apiVersion, 'ComputeRun', 'shop-2', {
    spec: { deployment: 'shop' },
    status: {
      state: 'Running',
      percent: 50,
      reason: 'GoalChanged',
      locations: [
        { location: 'westeurope', state: 'Running', percent: 50, wave: 1, startedAt: '2026-01-01T00:00:00Z' },
        { location: 'northeurope', state: 'Pending', percent: 0, wave: 2 },
      ],
      ...status,
    },
  }) as WatchedRun;

export const locationRun = (location: string, blocks: readonly object[], owner = 'ComputeRun-shop-2') =>
  object(apiVersion, 'ComputeRun', `shop-2-${location}`, {
    metadata: {
      ownerReferences: [{ apiVersion, kind: 'ComputeRun', name: 'shop-2', uid: owner, controller: true }],
    },
    spec: { deployment: 'shop', location },
    status: { blocks },
  }) as WatchedRun;

export const block = (resource: string, state: string, more: object = {}) => ({
  resource,
  state,
  pipeline: 'other',
  ...more,
});

export const view = (...blocks: readonly object[]): RunView =>
  runView(deployment(), [run(), locationRun('westeurope', blocks)]);
export const shownNames = ({ lines }: RunView) =>
  lines.filter(({ matters }) => matters).map(({ name }: RunLine) => name);
