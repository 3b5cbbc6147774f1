import { expect, test } from '@jest/globals';
import type { AccessToken } from '../../../runtime/azure/types.ts';
import { ManualClock } from '../../../runtime/base/clock.ts';
import type { Pod } from '../../../runtime/nmi/objects.ts';
import { TokenRequests } from '../../../runtime/nmi/tokens/token-requests.ts';

test('a namespace that asks for many tokens sends a share of the requests, and delays no other namespace', async () => {
  const clock = new ManualClock();
  const requests = new TokenRequests(clock);
  const sent = new Map<string, number>();
  const send = (namespace: string, index: number): Promise<AccessToken> => {
    const pod = { metadata: { namespace, uid: `${namespace}-${Math.floor(index / 10)}` } } as Pod;
    return requests.send(pod, async () => {
      sent.set(namespace, (sent.get(namespace) ?? 0) + 1);
      return { token: 't', expiresOn: 1e9 };
    });
  };
  const all = Promise.all(Array.from({ length: 1100 }, (_, index) => send('tenant', index)));
  await clock.advance(0);
  expect(sent.get('tenant')).toBe(1000);
  await send('neighbour', 0);
  await clock.advance(200);
  expect(sent.get('tenant')).toBeGreaterThan(1015);
  expect(sent.get('tenant')).toBeLessThan(1035);
  await clock.advance(800);
  await expect(all).resolves.toHaveLength(1100);
});
