/** Templates of somebody who wants to stop the program that makes their objects. */
import { expect, test } from '@jest/globals';
import { manifestsOf } from '../../../runtime/compute/manifests/manifests.ts';
import { expand } from '../templates/support.ts';

/** Far above what these take, and below what they took when the work grew with the square of a length. */
const hang = 30_000;
const site = (properties: object) => ({ type: 'X.Y/sites', apiVersion: '2024-01-01', name: 'a', properties });

test(
  'a text with the marks of hidden values takes no time, and stays a text',
  () => {
    const text = `(value${'_'.repeat(100_000)}`;
    const many = '(value_'.repeat(18_000);
    const parameters = { p: { type: 'securestring' } };
    const resources = [site({ text, many, secret: "[parameters('p')]" })];
    const made = manifestsOf(expand({ parameters, resources }, { p: { value: 'p' } }), { namespace: 'n' });
    expect(made.problems).toEqual([]);
    expect(made.manifests[0]?.object['spec']).toMatchObject({
      body: { properties: { text, many, secret: '(secret)' } },
      bodySecrets: [{ path: '/properties/secret' }],
    });
  },
  hang,
);

test(
  'long lists are converted in time that grows with their length',
  () => {
    const input = { lun: "[copyIndex('dataDisks')]", createOption: 'Empty' };
    const dataDisks = Array.from({ length: 10_000 }, (_, lun) => ({ lun, createOption: 'Empty', diskSizeGB: 1 }));
    const vm = (name: string, storageProfile: object) => ({
      type: 'Microsoft.Compute/virtualMachines',
      apiVersion: '2022-03-01',
      name,
      location: 'westeurope',
      properties: { storageProfile },
    });
    const resources = [
      vm('taken', { dataDisks: dataDisks.slice(0, 2000) }),
      vm('lost', { dataDisks: [...dataDisks.slice(1), { lun: 1, createOption: 'Empty', unknownMember: true }] }),
      vm('copied', { copy: [{ name: 'dataDisks', count: 800, input }] }),
    ];
    const { manifests, problems } = manifestsOf(expand({ resources }), { namespace: 'n' });
    expect([problems, manifests.map(({ object }) => object.kind)]).toEqual([
      [],
      ['VirtualMachine', 'ArmResource', 'VirtualMachine'],
    ]);
  },
  hang,
);

test('800 resources that all depend on each other before them go by name, without a walk for each', () => {
  const subnet = "[resourceId('X.Y/sites', 'r0')]";
  const copy = { name: 'l', count: 800, mode: 'serial', batchSize: 1 };
  const resources = [{ ...site({ id: subnet }), name: "[concat('r', copyIndex())]", copy }];
  const { manifests, problems } = manifestsOf(expand({ resources }), { namespace: 'n' });
  expect([problems, manifests.length]).toEqual([[], 800]);
});

test('names of members that JavaScript knows are ordinary', () => {
  const properties = JSON.parse('{"__proto__": {"polluted": 1}, "constructor": 1}');
  const [site0] = manifestsOf(expand({ resources: [site(properties)] }), { namespace: 'n' }).manifests;
  expect(Object.keys(site0?.object['spec'].body.properties)).toEqual(['__proto__', 'constructor']);
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});
