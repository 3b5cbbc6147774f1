import { expect, test } from '@jest/globals';
import { credentialFinalizer } from '../../../runtime/arm-kinds/names.ts';
import type { Cache } from '../../../runtime/kube/cache/types.ts';
import { secretsType } from '../../../runtime/kube/client/core-types.ts';
import type { KubeObject } from '../../../runtime/kube/client/types.ts';
import { CredentialFinalizers } from '../../../runtime/operator/credentials/in-use-finalizer.ts';
import type { ObjectIndex } from '../../../runtime/operator/objects/object-index.ts';
import { OwnWrites } from '../../../runtime/operator/references/own-writes.ts';
import { LocalKube } from '../../fakes/local-kube.ts';

const { signal } = new AbortController();

/** Two Secrets with the finalizer, and finalizers that know of these uses. */
async function setUp(uses: Set<string>) {
  const kube = new LocalKube();
  const metadata = { namespace: 'team', finalizers: [credentialFinalizer] };
  for (const name of ['one', 'other']) {
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { ...metadata, name } };
    await kube.create(secretsType, secret as KubeObject);
  }
  const objects = { usesCredential: (source: string) => uses.has(source) } as unknown as ObjectIndex;
  const secrets = { list: () => kube.all(secretsType) } as unknown as Cache;
  const finalizers = new CredentialFinalizers(kube, objects, secrets, new OwnWrites());
  const kept = () =>
    kube
      .all(secretsType)
      .filter((secret) => secret.metadata.finalizers?.includes(credentialFinalizer))
      .map(({ metadata: { name } }) => name);
  return { finalizers, kept };
}

test('a Secret that only a late cache shows as unused keeps its finalizer', async () => {
  const uses = new Set<string>();
  const { finalizers, kept } = await setUp(uses);
  await finalizers.removeUnused(signal, async () => void uses.add('team/one'));
  expect(kept()).toEqual(['one']);
});

test('caches are not listed again while every Secret is in use', async () => {
  const { finalizers, kept } = await setUp(new Set(['team/one', 'team/other']));
  let calls = 0;
  await finalizers.removeUnused(signal, async () => {
    calls += 1;
  });
  expect([calls, kept()]).toEqual([0, ['one', 'other']]);
});
