/** The what-if of templates whose objects the cluster has, before Azure is read. */
import { expect, test } from '@jest/globals';
import { knownDifferenceOf } from '../../../runtime/arm-kinds/comparison/applied-record.ts';
import { azureTargets } from '../../../runtime/compute/plan/azure-targets.ts';
import { offline, type PlanObservation } from '../../../runtime/compute/plan/observation.ts';
import { planChanges } from '../../../runtime/compute/plan/plan-changes.ts';
import { planUnits } from '../../../runtime/compute/plan/plan-units.ts';
import { whatIfOf, withWhatIf } from '../../../runtime/compute/plan/what-if.ts';
import { schema } from '../deployments/arm-templates.ts';
import { cluster, owned, storedDeployment } from './support.ts';

const groupId = '/subscriptions/22222222-2222-2222-2222-222222222222/resourceGroups/rg';
const network = (name: string, prefix = '10.0.0.0/16') => ({
  type: 'Microsoft.Network/virtualNetworks',
  apiVersion: '2020-11-01',
  name,
  location: 'westeurope',
  properties: { addressSpace: { addressPrefixes: [prefix] } },
});
const spec = (resources: readonly object[]) => ({
  locations: [{ name: 'westeurope' }],
  template: {
    arm: { json: JSON.stringify({ $schema: schema, contentVersion: '1.0.0.0', resources }), owner: { armId: groupId } },
  },
});
const unitsOf = (resources: readonly object[]) => {
  const type = { apiVersion: 'azimuth.dev/v1alpha1', kind: 'ComputeDeployment' };
  return planUnits([{ ...type, metadata: { name: 'shop' }, spec: spec(resources) }], { namespace: 'team', now: 0 });
};
const object = (name: string, prefix = '10.0.0.0/16', annotations: Readonly<Record<string, string>> = {}) => {
  const id = `${groupId}/providers/Microsoft.Network/virtualNetworks/${name}`;
  const body = { azureName: name, location: 'westeurope', owner: { armId: groupId } };
  return owned(
    {
      apiVersion: 'network.azure.com/v1api20201101',
      kind: 'VirtualNetwork',
      metadata: { name: `westeurope-${name}` },
      spec: { ...body, addressSpace: { addressPrefixes: [prefix] } },
    },
    'westeurope',
    { annotations: { 'serviceoperator.azure.com/resource-id': id, ...annotations } },
  );
};
const changeTypes = (resources: readonly object[], observation: PlanObservation) => {
  const units = unitsOf(resources);
  const { whatIf } = withWhatIf(planChanges(units, observation), units.units, observation);
  return whatIf?.properties.changes.map(
    ({ resourceId, changeType }) => `${changeType} ${resourceId.split('/').at(-1)}`,
  );
};

test('an object that is the same, changes, is new, or left the template', () => {
  const kept = object('kept', '10.0.0.0/16', { 'serviceoperator.azure.com/reconcile-policy': 'detach-on-delete' });
  const objects = [object('same'), object('changed', '10.9.0.0/16'), object('gone'), kept];
  const observation = cluster(storedDeployment(spec([])), ...objects);
  const resources = [network('same'), network('changed'), network('new')];
  expect(changeTypes(resources, observation)?.sort()).toEqual([
    'Create new',
    'Delete gone',
    'Deploy changed',
    'NoChange same',
  ]);
  expect(changeTypes(resources, offline)).toEqual(['Create same', 'Create changed', 'Create new']);
});

test('an object without the right to read it is Unsupported, and one with the policy skip is ignored', () => {
  const skipped = object('left', '10.9.0.0/16', { 'serviceoperator.azure.com/reconcile-policy': 'skip' });
  const known = cluster(storedDeployment(spec([])), skipped);
  const observation: PlanObservation = {
    ...known,
    object: (namespace, key) => (key.endsWith('hidden') ? 'Unknown' : known.object(namespace, key)),
  };
  expect(changeTypes([network('left'), network('hidden')], observation)?.sort()).toEqual([
    'Ignore left',
    'Unsupported hidden',
  ]);
});

test('a difference that stayed after the last write of the operator is no change', () => {
  const units = unitsOf([network('same')]);
  const body = { location: 'westeurope', properties: { addressSpace: { addressPrefixes: ['10.9.0.0/16'] } } };
  const changeAfter = (recorded: string) => {
    const observation = cluster(
      storedDeployment(spec([])),
      object('same', '10.0.0.0/16', { 'azimuth.dev/applied': recorded }),
    );
    const { targets } = azureTargets(units.units, observation, () => undefined);
    const answers = new Map(targets.map(({ key }) => [`team ${key}`, { state: 'Present', body } as const]));
    const plan = planChanges(units, observation);
    const { properties } = whatIfOf({ plan, units: units.units, targets, observation, answers }) ?? {};
    return { change: properties?.changes[0], compared: targets[0]?.compared };
  };
  const { change, compared } = changeAfter('a..');
  expect(change).toMatchObject({ changeType: 'Modify', delta: [{ path: 'properties.addressSpace.addressPrefixes' }] });
  const difference = knownDifferenceOf(compared, body);
  expect(changeAfter(`a..${difference}`).change).toMatchObject({ changeType: 'NoChange', delta: [] });
});
