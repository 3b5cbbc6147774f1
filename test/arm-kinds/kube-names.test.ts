import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { kubeNames, type Nameable } from '../../runtime/arm-kinds/kube-names.ts';
import { normalizeResourceId } from '../../runtime/azure/arm/resource-ids.ts';

const group = '/subscriptions/s/resourceGroups/g';
const account = (name: string, kind = 'A'): Nameable => ({
  id: `${group}/providers/Microsoft.Storage/storageAccounts/${name}`,
  group: 'storage.azure.com',
  kind,
});
const nameOf = (resources: readonly Nameable[], resource: Nameable) =>
  kubeNames(resources).get(normalizeResourceId(resource.id));

test('a name that Kubernetes takes stays, and a child begins with the names above it', () => {
  const container = { ...account('logs'), id: `${account('logs').id}/blobServices/default/containers/Raw` };
  expect(nameOf([account('logs'), container], account('logs'))).toBe('logs');
  expect(nameOf([account('logs'), container], container)).toBe('logs-default-raw');
});

test('characters that Kubernetes does not accept become hyphens, none at the ends', () => {
  expect(nameOf([account('_My.App_(1)')], account('_My.App_(1)'))).toBe('my-app-1');
  expect(nameOf([account('___')], account('___'))).toBe('unnamed');
});

test('two of one kind that would have one name both get a part of their hash; of different kinds neither does', () => {
  const [a, b] = [account('my.app'), account('my_app')];
  const names = kubeNames([a, b]);
  expect([...names.values()]).toEqual([
    expect.stringMatching(/^my-app-[0-9a-f]{16}$/),
    expect.stringMatching(/^my-app-[0-9a-f]{16}$/),
  ]);
  expect(new Set(names.values()).size).toBe(2);
  expect([...kubeNames([a, { ...b, kind: 'B' }]).values()]).toEqual(['my-app', 'my-app']);
});

test('no name in Azure can be chosen so that two objects have one name, or one takes the name of another', () => {
  const victims = [account('my.app'), account('my_app')];
  const wanted = nameOf(victims, account('my.app')) as string;
  const thief = account(wanted);
  const names = kubeNames([...victims, thief]);
  expect(new Set(names.values()).size).toBe(3);
  expect(names.get(normalizeResourceId(account('my.app').id))).toBe(wanted);
  expect(nameOf([thief], thief)).not.toBe(wanted);
});

test('whatever the names in Azure, those in Kubernetes are valid, distinct and the same in any order', () => {
  const names = fc.uniqueArray(fc.stringMatching(/^[A-Za-z0-9_$(-][A-Za-z0-9._$() -]{0,120}[A-Za-z0-9_$)-]$/), {
    selector: (name) => name.toLowerCase(),
    maxLength: 12,
  });
  fc.assert(
    fc.property(names, (all) => {
      const resources = all.map((name) => account(name));
      const made = kubeNames(resources);
      for (const name of made.values()) expect(name).toMatch(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/);
      expect(new Set(made.values()).size).toBe(resources.length);
      expect(kubeNames(resources.toReversed())).toEqual(made);
    }),
  );
});
