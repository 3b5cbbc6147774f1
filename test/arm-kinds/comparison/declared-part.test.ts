import { expect, test } from '@jest/globals';
import { knownDifferenceOf } from '../../../runtime/arm-kinds/comparison/applied-record.ts';
import { armDiff } from '../../../runtime/arm-kinds/comparison/arm-diff.ts';
import { declaredPart } from '../../../runtime/arm-kinds/comparison/declared-part.ts';
import { SecretValue } from '../../../runtime/arm-kinds/secret-value.ts';
import { counted } from '../body/counted.ts';

/** Two answers of Azure that differ from the declared body; whether both have one fingerprint. */
const sameFingerprint = (wanted: object, one: object, other: object) => {
  const [first, second] = [one, other].map((live) => knownDifferenceOf({ at: wanted }, { at: live }));
  expect(first).not.toBe('');
  expect(second).not.toBe('');
  return first === second;
};

const pools = (id: string) => ({ loadBalancerBackendAddressPools: [{ id }] });
const configuration = (etag: string, more: object = {}, name = 'one') => ({
  name,
  etag,
  properties: { primary: true, provisioningState: etag, ...pools('/subscriptions/s/pools/p'), ...more },
});
const byName = { name: 'one', properties: { primary: true, loadBalancerBackendAddressPools: [{ name: 'p' }] } };

test('a known difference of a list holds declared members only, so that etags and states of its items may change', () => {
  expect(sameFingerprint([byName], [configuration('a')], [configuration('b', { more: 1 })])).toBe(true);
  const other = configuration('a', pools('/subscriptions/s/pools/q'));
  expect(sameFingerprint([byName], [configuration('a')], [other])).toBe(true);
  expect(sameFingerprint([byName], [configuration('a')], [configuration('a', { primary: false })])).toBe(false);
  expect(sameFingerprint([byName], [configuration('a')], [configuration('a', {}, 'two')])).toBe(false);
});

test('an item that others added counts by its name, and each that leaves or comes is another difference', () => {
  const shown = (...names: string[]) => names.map((name) => ({ name, etag: `${names.length}`, at: [name] }));
  const wanted = [{ name: 'a', at: ['other'] }];
  expect(sameFingerprint(wanted, shown('a', 'b', 'c'), shown('c', 'b', 'a'))).toBe(true);
  expect(sameFingerprint(wanted, shown('a', 'b'), shown('a', 'c'))).toBe(false);
  expect(sameFingerprint(wanted, shown('a', 'b'), shown('a', 'b', 'c'))).toBe(false);
  expect(sameFingerprint([], [{ id: 'x', etag: 1 }], [{ id: 'x', etag: 2 }])).toBe(true);
  expect(
    sameFingerprint(
      [{ id: '/subscriptions/S/x', a: 1 }],
      [{ id: '/subscriptions/s/x', b: 1 }],
      [{ id: '/subscriptions/s/X', b: 2 }],
    ),
  ).toBe(true);
  expect(sameFingerprint(['1', '2'], ['3', '1'], ['1', '3'])).toBe(true);
});

test('a secret in an item of a list that differs is not part of the fingerprint', () => {
  const wanted = (secret: string) => ({ at: [{ name: 'a', key: new SecretValue(secret), port: 1 }] });
  const live = { at: [{ name: 'a', port: 2, key: 'shown' }] };
  expect(knownDifferenceOf(wanted('one'), live)).toBe(
    knownDifferenceOf(wanted('two'), { at: [{ name: 'a', port: 2 }] }),
  );
});

test.each([
  ['location', 'West US', 'westus', true],
  ['properties.locations[].locationName', 'West US', 'westus', true],
  ['properties.publishingProfile.targetRegions[].name', 'westeurope', 'West Europe', true],
  ['properties.serviceEndpoints[].locations[]', 'westeurope', 'West Europe', true],
  ['properties.subnets[].properties.serviceEndpoints[].locations[]', 'westeurope', 'West Europe', true],
  ['properties.locations.regions[].name', 'West Europe', 'westeurope', true],
  ['properties.replicationRegion', 'WestUs2', 'West US 2', true],
  ['properties.endpointLocation', 'North Europe', 'northeurope', true],
  ['properties.primaryLocation', 'westus', 'West US', true],
  ['properties.failoverRegions[]', 'westus', 'West US', true],
  ['properties.geoDataReplication.secondaryRegionName', 'westus', 'West US', true],
  ['properties.fileLocation', '/Data', '/data', false],
  ['properties.ipAllocation', 'Static', 'static', false],
  ['tags.location', 'West US', 'westus', false],
  ['properties.resources[].tags.region', 'West US', 'westus', false],
  ['properties.locations[].locationName', 'westus', 'West US 2', false],
  ['properties.subnets[].name', 'West US', 'westus', false],
  ['tags.location2', 'West US', 'westus', false],
  ['properties.networkAcls.bypass', 'logging,metrics', 'Logging, Metrics', true],
  ['properties.networkAcls.bypass', 'Metrics,Logging', 'Logging, Metrics', true],
  ['properties.networkAcls.bypass', 'logging', 'Logging, Metrics', false],
  ['properties.protocolSettings.smb.versions', 'SMB3.0;SMB3.1.1;', 'SMB3.0; SMB3.1.1', true],
  ['tags.bypass', 'a,b', 'a, b', false],
])('at %s %p and %p are one value: %p', (path, wanted, live, same) => {
  const at = (value: string) =>
    path
      .split('.')
      .reverse()
      .reduce<unknown>((inner, step) => {
        const name = step.replace('[]', '');
        return { [name]: step === name ? inner : [inner] };
      }, value);
  expect(armDiff(at(wanted), at(live)).length === 0).toBe(same);
});

test('the fingerprint of a long list takes linear time', () => {
  const many = Array.from({ length: 5000 }, (_, index) => ({ [`m${index}`]: index, same: 1 }));
  const { live, reads } = counted({ at: [...many].reverse().map((item) => ({ ...item, extra: 1 })) });
  knownDifferenceOf({ at: [...many, { same: 2 }] }, live as Record<string, unknown>);
  expect(reads()).toBeLessThan(100 * many.length);
});

test.each([
  ['a plain item', ['run', new SecretValue('hidden')], ['run', 'shown-value']],
  [
    'the member by which items are found',
    [{ value: 'x' }, { value: new SecretValue('hidden') }],
    [{ value: 'x' }, { value: 'shown-value' }],
  ],
  ['a member of an object that Azure shows as a text', { key: new SecretValue('hidden') }, 'shown-value'],
])('what Azure shows in the place of a secret is in no fingerprint: %s', (_, declared, live) => {
  expect(JSON.stringify(declaredPart(declared, live, 'properties.list'))).not.toContain('shown-value');
});
