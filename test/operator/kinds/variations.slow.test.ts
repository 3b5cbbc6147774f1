import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { validate } from '../../../runtime/api/validate.ts';
import { presumedBy } from '../samples/presumed-objects.ts';
import { embeddedPlace } from '../samples/sample-place.ts';
import { runSamples } from '../samples/sample-run.ts';
import { armKindOf } from '../samples/samples.ts';
import { startWorld, type World } from '../support.ts';
import { variations } from './variations.ts';

let world: World;

beforeAll(async () => {
  const objects = variations('');
  const all = [...objects, ...presumedBy(objects, { subscriptionId: '', tenantId: '' })].filter(armKindOf);
  const kinds = new Set(all.map(({ apiVersion, kind }) => `${apiVersion.split('/')[0]}/${kind}`));
  world = await startWorld({ kinds: [...kinds].join(';'), versions: all.map(({ apiVersion }) => apiVersion) });
});
afterAll(() => world?.close());

test('variations of what samples show have the schema of their kinds', () => {
  const refused = variations(world.azure.subscriptionId).flatMap((object) => {
    const kind = armKindOf(object);
    return kind ? validate(kind, object).map(({ path, expected }) => `${object.kind} ${path}: ${expected}`) : [];
  });
  expect(refused).toEqual([]);
});

test('they become Ready, are read again without a write, and are deleted with nothing left', async () => {
  const objects = variations(world.azure.subscriptionId);
  expect(new Set(objects.map(({ kind }) => kind)).size).toBeGreaterThan(20);
  // Ids are given by hand here, also those of the subscription and of the tenant.
  const scopes = { AZURE_OPERATOR_CREDENTIAL_SCOPES: '*=/' };
  const all = [...presumedBy(objects, world.azure), ...objects];
  expect(await runSamples(embeddedPlace(world, scopes), all, 300_000)).toEqual([]);
}, 900_000);
