import { expect, test } from '@jest/globals';
import { annotations } from '../../../runtime/arm-kinds/names.ts';
import {
  type Acquisition,
  acquisitionOf,
  type CredentialOf,
  formatAcquisition,
  holdsArmId,
  ownsArmId,
} from '../../../runtime/operator/objects/acquisition.ts';

const at = Date.parse('2026-01-01T00:00:00Z');
const hour = 3_600_000;
const written = (credentialOf: CredentialOf): Acquisition => ({ by: 'written', credentialOf, at });
const announced: Acquisition = { by: 'announced', credentialOf: 'operator', at };
const owns = (acquired: Acquisition, credentialOf: CredentialOf, time = at) =>
  ownsArmId(acquired, { credentialOf, adopt: 'never', time });
const object = (acquired: Acquisition) => ({
  apiVersion: 'a/v1',
  kind: 'A',
  metadata: { name: 'a', annotations: { [annotations.acquired]: formatAcquisition(acquired) } },
});

test('what a namespace’s own credential wrote proves nothing to the operator’s, and what another cloud accepted proves nothing here', () => {
  const all: CredentialOf[] = ['operator', 'namespace', 'other-cloud'];
  const table = all.map((made) => all.filter((now) => owns(written(made), now)));
  expect(table).toEqual([['operator', 'namespace'], ['namespace'], ['other-cloud']]);
});

test('an object of another cloud holds no ARM id of this one', () => {
  expect(holdsArmId(object(written('namespace')), at)).toBe(true);
  expect(holdsArmId(object(written('other-cloud')), at)).toBe(false);
});

test('an announced PUT counts for an hour, and longer only where the object may take over what is there', () => {
  expect([owns(announced, 'operator', at + hour - 1), owns(announced, 'operator', at + hour)]).toEqual([true, false]);
  expect(ownsArmId(announced, { credentialOf: 'operator', adopt: 'always', time: at + hour })).toBe(true);
  expect([holdsArmId(object(announced), at + hour - 1), holdsArmId(object(announced), at + hour)]).toEqual([
    true,
    false,
  ]);
});

test('an annotation of another form is no acquisition', () => {
  expect(acquisitionOf(object(announced))).toEqual(announced);
  for (const text of ['', 'written', 'written someone 2026-01-01T00:00:00Z', 'taken operator 2026-01-01T00:00:00Z']) {
    expect(acquisitionOf({ metadata: { name: 'a', annotations: { [annotations.acquired]: text } } })).toBeUndefined();
  }
});
