import { expect, test } from '@jest/globals';
import { readItems } from '../../runtime/uninstall/inventory.ts';
import { viewKinds } from '../../runtime/view/model/view-kinds.ts';
import { LocalKube } from '../fakes/local-kube.ts';
import { object } from '../view/support.ts';

test('of an object with a megabyte the command keeps what it needs, with the policy', async () => {
  const kube = new LocalKube();
  const kinds = viewKinds.filter(({ type: { kind } }) => kind === 'AzureIdentity');
  const [{ type } = { type: undefined }] = kinds;
  if (!type) throw new Error('The view has no AzureIdentity');
  const policy = 'serviceoperator.azure.com/reconcile-policy';
  const short = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`example.com/a${index}`, '']));
  const found = object('aadpodidentity.k8s.io/v1', 'AzureIdentity', 'large', {
    spec: { clientID: 'x'.repeat(500_000) },
  });
  const annotations = { ...short, [policy]: 'skip', 'example.com/text': 'x'.repeat(100_000) };
  await kube.create(type, { ...found, metadata: { ...found.metadata, annotations } });
  const [item] = await readItems(kube, kinds, AbortSignal.timeout(10_000));
  expect(JSON.stringify(item).length).toBeLessThan(40_000);
  expect(item).toMatchObject({ policy: 'skip', object: { metadata: { name: 'large' } }, row: { name: 'large' } });
});
