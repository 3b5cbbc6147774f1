import { expect, test } from '@jest/globals';
import { ManualClock } from '../../runtime/base/clock.ts';
import { removeItems } from '../../runtime/uninstall/remove-items.ts';
import { viewKinds } from '../../runtime/view/model/view-kinds.ts';
import { LocalKube } from '../fakes/local-kube.ts';
import { group } from '../view/support.ts';

test('an object that stays ends the command, which names its condition and the flags of an operator that serves others', async () => {
  const kube = new LocalKube();
  const [kind] = viewKinds.filter(({ type }) => type.kind === 'ResourceGroup');
  if (!kind) throw new Error('no ResourceGroup');
  const object = group('rg');
  await kube.create(kind.type, { ...object, metadata: { ...object.metadata, finalizers: ['example.com/wait'] } });
  const clock = new ManualClock();
  const sleep = async (ms: number) => clock.advance(ms);
  const ended = removeItems([kind], new Set(), {
    client: kube,
    clock: { now: () => clock.now(), monotonic: () => clock.monotonic(), sleep },
    mode: 'delete',
    stallMs: 60_000,
    report: () => undefined,
    signal: AbortSignal.timeout(60_000),
  });
  await expect(ended).rejects.toMatchObject({
    code: 'AZ_KUBE_STATUS',
    message: expect.stringMatching(
      /^no object has gone for 60 s.*ResourceGroup\/rg in demo.*example\.com\/wait.*--kinds.*--target-namespaces/,
    ),
  });
});
