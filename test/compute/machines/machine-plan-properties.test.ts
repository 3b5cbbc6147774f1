import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isObject, type JsonObject } from '../../../runtime/base/json.ts';
import type { Machine } from '../../../runtime/compute/machines/machine-model.ts';
import { planMachine } from '../../../runtime/compute/machines/machine-plan.ts';
import { machineReferences } from '../../../runtime/compute/machines/machine-references.ts';
import { certificate, identityId, machine, vaultId, version } from './support.ts';

const uses = [
  { name: 'id', kind: 'Identity', delivery: 'Identity', identity: { id: identityId('id'), clientId: 'c' } },
  certificate(),
  certificate({ delivery: 'VaultExtension', version: version('kv2', 'other') }),
] as const;
const kinds = fc.constantFrom<Machine['kind']>('VirtualMachine', 'VirtualMachineScaleSet');

/** Objects with the names that the plan reads and any values, so that each of them is wrong now and then. */
const names = [
  ...['osProfile', 'secrets', 'sourceVault', 'id', 'vaultCertificates', 'certificateUrl', 'linuxConfiguration', 'ssh'],
  ...['publicKeys', 'keyData', 'extensionProfile', 'extensions', 'properties', 'settings', 'type', 'publisher', 'mode'],
  ...['upgradePolicy', 'rollingUpgradePolicy', 'protectedSettingsFromKeyVault', 'virtualMachineProfile', '__proto__'],
];
const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 6 },
    fc.oneof(
      fc.constant(null),
      fc.boolean(),
      fc.integer(),
      fc.constantFrom('KeyVaultForLinux', 'Rolling', vaultId('v'), ''),
    ),
    fc.array(tie('tree'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...names), tie('tree'), { maxKeys: 6 }),
  ),
}));

test('whatever a body is, the plan and its references come without an exception, and the body is not changed', () => {
  fc.assert(
    fc.property(kinds, tree, (kind, value) => {
      const body: JsonObject = isObject(value) ? { properties: value } : { properties: { osProfile: value } };
      const before = JSON.stringify(body);
      const on = { ...machine(kind), body };
      planMachine(on, uses);
      machineReferences(on);
      expect(JSON.stringify(body)).toBe(before);
    }),
    { numRuns: 500 },
  );
});

/** Whether everything of `mine` is in `merged`, lists in their order at the beginning. */
function holds(merged: unknown, mine: unknown): boolean {
  if (Array.isArray(mine)) return Array.isArray(merged) && mine.every((each, index) => holds(merged[index], each));
  if (isObject(mine)) return isObject(merged) && Object.keys(mine).every((name) => holds(merged[name], mine[name]));
  return merged === mine;
}

test('all that a manifest has is in the merged body', () => {
  const vault = fc.integer({ min: 0, max: 4 }).map((n) => ({
    sourceVault: { id: vaultId(n % 2 ? `KV${n}` : `kv${n}`) },
    vaultCertificates: [{ certificateUrl: version(`kv${n}`, `own${n}`).secretUrl, note: n }],
    note: 'group',
  }));
  const secrets = fc.uniqueArray(vault, { selector: ({ sourceVault }) => sourceVault.id });
  const extension = fc.nat(3).map((n) => ({ name: `x${n}`, properties: { publisher: 'p', type: `t${n}` }, note: n }));
  const extensions = fc.uniqueArray(extension, { selector: ({ name }) => name });
  fc.assert(
    fc.property(
      kinds,
      secrets,
      extensions,
      fc.dictionary(fc.constantFrom('sku', 'tags', 'zones'), fc.string()),
      (kind, list, own, more) => {
        const profile = { osProfile: { adminUsername: 'ops', secrets: list }, extensionProfile: { extensions: own } };
        const on = machine(kind, profile, { body: more, properties: { note: 'mine' } });
        const { problems, body } = planMachine(on, uses);
        expect(problems).toEqual([]);
        expect(holds(body, on.body)).toBe(true);
      },
    ),
  );
});
