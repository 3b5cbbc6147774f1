import { expect, test } from '@jest/globals';
import type { KeyVault } from '../../../runtime/azure/key-vault/client.ts';
import { vaultItem } from '../../../runtime/azure/key-vault/vault-items.ts';
import { systemClock } from '../../../runtime/base/clock.ts';
import { decodeMountCall, type MountAnswer, type MountCall } from '../../../runtime/volumes/csi/messages.ts';
import { mountProvider, ProviderFailure } from '../../../runtime/volumes/csi/provider.ts';
import { fieldsOf, lengthField } from '../../../runtime/volumes/csi/wire.ts';
import { readYaml } from '../../../runtime/volumes/options/bounded-yaml.ts';
import { nasty, randomOf } from '../fuzzer.ts';

const secretText = 'q7-the-client-secret-Zx';
const random = randomOf(20_261_121);
const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T;

/** A vault that has every secret. */
const vault = {
  getSecret: async (name: string, version = '') => {
    const item = vaultItem({ id: `https://v/secrets/${name}/${version || 'f00d'}` });
    return { ...item, value: name, keyId: undefined };
  },
  listVersions: async () => ['a1', 'b2', 'c3'].map((version) => vaultItem({ id: `https://v/secrets/x/${version}` })),
} as unknown as KeyVault;
const use = async <T>(_request: unknown, signal: AbortSignal, read: (opened: never) => Promise<T>): Promise<T> =>
  read({ vault, clock: systemClock, signal, deadline: Number.POSITIVE_INFINITY } as never);

function valid(): Record<string, unknown> {
  const object = (index: number) => {
    const members: Record<string, string> = { objectName: `name-${index}`, objectType: 'secret' };
    const more = ['objectAlias', 'objectVersion', 'objectVersionHistory', 'objectEncoding', 'filePermission', 'x'];
    if (random(2) === 0) members[pick(more)] = pick(nasty);
    if (random(4) === 0) members['objectAlias'] = `${pick(nasty)}/${pick(nasty)}`;
    if (random(8) === 0) members['objectVersionHistory'] = String(random(5));
    return `- ${JSON.stringify(JSON.stringify(members))}\n`;
  };
  return {
    keyvaultName: 'contoso',
    tenantId: 't',
    objects: `array:\n${Array.from({ length: 1 + random(3) }, (_, index) => object(index)).join('')}`,
    'csi.storage.k8s.io/pod.name': 'p',
    'csi.storage.k8s.io/pod.namespace': 'ns',
  };
}

function mutated(): MountCall {
  const attributes = valid();
  for (let changes = random(3); changes > 0; changes--) {
    const name = pick(Object.keys(attributes));
    const change = random(8);
    if (change === 0) delete attributes[name];
    else if (change === 1) attributes[name] = pick([null, 1, true, [], {}]);
    else if (change === 2) attributes[name] = pick(nasty);
    else if (change === 3) attributes[pick(['cloudName', 'usePodIdentity', 'clientID', ...nasty])] = pick(nasty);
    else if (change === 4) attributes[name] = `${String(attributes[name])}${pick(nasty)}`;
  }
  const secrets = JSON.stringify({ clientid: 'client', clientsecret: secretText });
  const cut = (text: string) => (random(10) === 0 ? text.slice(0, random(text.length + 1)) + pick(nasty) : text);
  return {
    attributes: cut(JSON.stringify(attributes)),
    secrets: cut(secrets),
    targetPath: pick(nasty),
    permission: random(8) === 0 ? pick(nasty) : '420',
  };
}

/** The driver's own rules for what it writes. */
function escapes(path: string): boolean {
  return path === '' || path.startsWith('/') || path.split('/').some((part) => part === '' || part.startsWith('..'));
}

test('mutated classes and names: every path stays in the volume, every refusal is one, no message contains a secret', async () => {
  let answered = 0;
  const rounds = 3000;
  const signal = new AbortController().signal;
  for (let round = 0; round < rounds; round++) {
    const call = mutated();
    const deadline = Date.now() + 60_000;
    const got: MountAnswer | Error = await mountProvider(call, {
      vaults: { use, readYaml: async (_namespace, job) => readYaml(job) },
      deadlineSeconds: 60,
      signal,
      deadline,
    }).catch((error: Error) => error);
    if ('files' in got) {
      answered++;
      for (const { path, mode } of got.files) {
        if (escapes(path) || mode < 0 || mode > 0o777) throw new Error(`${JSON.stringify(path)}: ${call.attributes}`);
      }
    } else {
      expect(got).toBeInstanceOf(ProviderFailure);
      expect((got as ProviderFailure).code).toBe(3);
      expect(got.message).not.toContain(secretText);
    }
  }
  expect(answered).toBeGreaterThan(rounds / 10);
  expect(answered).toBeLessThan(rounds * 0.9);
});

test('bytes that are no message end in a RangeError or in a message, never in a loop', () => {
  const message = Buffer.concat([lengthField(1, '{}'), lengthField(4, '420'), lengthField(5, lengthField(1, 'a'))]);
  for (let round = 0; round < 20_000; round++) {
    const bytes = Buffer.from(random(2) === 0 ? message : Buffer.alloc(random(40)));
    for (let changes = random(6); changes > 0 && bytes.length > 0; changes--) {
      bytes[random(bytes.length)] = random(256);
    }
    try {
      decodeMountCall(bytes.subarray(0, random(bytes.length + 1)));
    } catch (error) {
      expect(error).toBeInstanceOf(RangeError);
    }
  }
  expect([...fieldsOf(message)].map(({ number }) => number)).toEqual([1, 4, 5]);
});
