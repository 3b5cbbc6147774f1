/** Every value that a kind exports, of every kind: the operator gets it from the sandbox, as samples ask for it. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ArmKindDefinition, armKinds } from '../../../runtime/api/kinds.ts';
import type { KubeObject } from '../../../runtime/kube/client/types.ts';
import { presumedBy } from '../samples/presumed-objects.ts';
import { embeddedPlace } from '../samples/sample-place.ts';
import { runSamples } from '../samples/sample-run.ts';
import { armKindOf } from '../samples/samples.ts';
import { startWorld, type World } from '../support.ts';
import { requiredFields } from './examples.ts';

type Around = Parameters<typeof requiredFields>[1];
const nobody: Around = { subscriptionId: '', tenantId: '', principalId: '' };

const exporting = armKinds.filter(({ arm: { dataPlane, operatorSpec } }) => {
  return !dataPlane && operatorSpec.secrets.length + operatorSpec.configMaps.length > 0;
});

/** The required fields of a kind, an identity where it takes one, and all exports. */
function exportsOf(kind: ArmKindDefinition, around: Around): KubeObject {
  const { owner, operatorSpec, fields } = kind.arm;
  const identity = fields.properties?.['identity']?.properties?.['type'];
  const name = `all${kind.shortNames[0]}`;
  const to = (keys: readonly string[]) => Object.fromEntries(keys.map((key) => [key, { name: `${name}-out`, key }]));
  const [ownerKind = 'ResourceGroup'] = owner?.extension ? [] : (owner?.kinds ?? []);
  return {
    apiVersion: `${kind.group}/${kind.versions[0]?.name}`,
    kind: kind.kind,
    metadata: { namespace: 'default', name },
    spec: {
      ...requiredFields(kind, around),
      ...(owner && { owner: { name: `of-${ownerKind.toLowerCase()}` } }),
      ...(owner?.extension && { owner: { group: 'resources.azure.com', kind: ownerKind, name: 'of-resourcegroup' } }),
      ...(identity &&
        (identity.enum ?? ['SystemAssigned']).includes('SystemAssigned') && { identity: { type: 'SystemAssigned' } }),
      operatorSpec: { secrets: to(operatorSpec.secrets), configMaps: to(operatorSpec.configMaps) },
    },
  };
}

const objectsFor = (around: Around) => exporting.map((kind) => exportsOf(kind, around));

let world: World;

beforeAll(async () => {
  const objects = objectsFor(nobody);
  const all = [...objects, ...presumedBy(objects, nobody)].filter(armKindOf);
  const kinds = new Set(all.map(({ apiVersion, kind }) => `${apiVersion.split('/')[0]}/${kind}`));
  world = await startWorld({ kinds: [...kinds].join(';') });
});
afterAll(() => world?.close());

test('an object of each kind becomes Ready with all its exports, is idle, and is deleted', async () => {
  const objects = objectsFor({ ...world.azure, principalId: world.azure.tenantId });
  expect(objects.length).toBeGreaterThan(40);
  const all = [...presumedBy(objects, world.azure), ...objects];
  expect(await runSamples(embeddedPlace(world), all, 300_000)).toEqual([]);
}, 900_000);
