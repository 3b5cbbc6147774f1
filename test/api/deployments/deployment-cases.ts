import type { KubeObject } from '../../../runtime/kube/client/types.ts';
import type { ValidationCase } from '../validation-case.ts';

const of = (kind: string, spec: object): KubeObject =>
  ({ apiVersion: 'azimuth.dev/v1alpha1', kind, metadata: { name: 'sample' }, spec }) as KubeObject;

const group = { apiVersion: 'resources.azure.com/v1api20200601', kind: 'ResourceGroup', metadata: { name: 'rg' } };
const locations = [{ name: 'westeurope', parameters: { prefix: '10.0.0.0/16' } }, { name: 'northeurope' }];

/** What the API server says of deployments and their runs. */
export const deploymentCases: readonly ValidationCase[] = [
  {
    name: 'a deployment of manifests with all that one can have',
    object: of('ComputeDeployment', {
      locations,
      parameters: { team: 'shop' },
      template: { manifests: [group] },
      strategy: {
        waves: [['westeurope'], ['northeurope']],
        parallelism: 2,
        maxUnavailable: 1,
        pauseBetween: '10m',
        progressDeadline: '1h',
        onFailure: 'Rollback',
        gate: {
          bakeFor: '10m',
          approval: true,
          checkDeadline: '5m',
          checks: [
            { name: 'home', http: { url: 'https://example.org', status: 200 } },
            { name: 'smoke', job: { spec: { template: {} } } },
            { name: 'errors', prometheus: { url: 'http://prometheus:9090', query: 'sum(up)', above: 0.5, below: 9 } },
            {
              name: 'load',
              azureMonitor: {
                resource: { kind: 'VirtualMachineScaleSet.compute.azure.com', name: 'web' },
                metric: 'Percentage CPU',
                aggregation: 'Maximum',
                window: '5m',
                below: 80,
              },
            },
          ],
        },
      },
      historyLimit: 3,
      retry: 'again',
      suspend: false,
    }),
  },
  {
    name: 'a deployment of an ARM template',
    object: of('ComputeDeployment', { locations, template: { arm: { json: '{}', owner: { name: 'rg' } } } }),
  },
  {
    name: 'a deployment without locations',
    object: of('ComputeDeployment', { locations: [], template: { manifests: [group] } }),
    refusedAt: 'spec.locations',
  },
  {
    name: 'a check of a gate that has two kinds',
    object: of('ComputeDeployment', {
      locations,
      template: { manifests: [group] },
      strategy: { gate: { checks: [{ name: 'a', http: { url: 'https://example.org' }, job: { spec: {} } }] } },
    }),
    refusedAt: 'spec.strategy.gate.checks[0]',
  },
  {
    name: 'a query of a gate without a bound',
    object: of('ComputeDeployment', {
      locations,
      template: { manifests: [group] },
      strategy: { gate: { checks: [{ name: 'a', prometheus: { url: 'http://prometheus:9090', query: 'up' } }] } },
    }),
    refusedAt: 'spec.strategy.gate.checks[0].prometheus',
  },
  {
    name: 'an approval',
    object: of('ComputeApproval', { run: 'shop-1', wave: 1, approvedBy: 'alice', note: 'well' }),
  },
  {
    name: 'an approval of nobody',
    object: of('ComputeApproval', { run: 'shop-1', wave: 1 }),
    refusedAt: 'spec.approvedBy',
  },
  {
    name: 'a run that is asked for',
    object: of('ComputeRun', {
      deployment: 'shop',
      goalOf: 'shop-1',
      cancel: false,
      location: 'westeurope',
      goal: '{}',
    }),
  },
  {
    name: 'a run without a deployment',
    object: of('ComputeRun', { goalOf: 'shop-1' }),
    refusedAt: 'spec.deployment',
  },
  ...[' shop', 'shop\n', 'shop '].flatMap((name) => [
    {
      name: `a run of the deployment ${JSON.stringify(name)}, which cannot be`,
      object: of('ComputeRun', { deployment: name }),
      refusedAt: 'spec.deployment',
    },
    {
      name: `a run again of ${JSON.stringify(name)}, which cannot be`,
      object: of('ComputeRun', { deployment: 'shop', goalOf: name }),
      refusedAt: 'spec.goalOf',
    },
    {
      name: `an approval of the run ${JSON.stringify(name)}, which cannot be`,
      object: of('ComputeApproval', { run: name, wave: 1, approvedBy: 'alice' }),
      refusedAt: 'spec.run',
    },
  ]),
];
