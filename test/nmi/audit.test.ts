import { expect, test } from '@jest/globals';
import { ManualClock } from '../../runtime/base/clock.ts';
import { Audit } from '../../runtime/nmi/audit.ts';
import type { Pod } from '../../runtime/nmi/objects.ts';
import type { TokenRequest } from '../../runtime/nmi/protocol/token-request.ts';
import type { IdentityUse } from '../../runtime/nmi/tokens/pod-identities.ts';
import { binding, identity, pod } from './harness.ts';

test('each line has the expiry of its own token, not of the previous one', () => {
  let text = '';
  const write = (part: string) => {
    text += part;
  };
  const events = { record: () => undefined };
  const audit = new Audit({ lines: { write }, events, clock: new ManualClock(0), node: 'n1' });
  const { spec } = identity();
  const use = { binding: binding(), identity: identity(), spec } as unknown as IdentityUse;
  const request = { resource: 'r', clientId: '', objectId: '', resourceId: '' } as unknown as TokenRequest;
  for (const end of [1000, 1000, 2000]) audit.issued(pod() as Pod, use, request, end);
  audit.commit();
  const ends = text.trim().split('\n');
  expect(ends.map((line) => Date.parse((JSON.parse(line) as { expiresOn: string }).expiresOn))).toEqual([
    1000, 1000, 2000,
  ]);
});

test('a line names the program as every line of the log does', () => {
  let text = '';
  const write = (part: string) => {
    text += part;
  };
  const audit = new Audit({
    lines: { write },
    events: { record: () => undefined },
    clock: new ManualClock(0),
    node: 'n1',
  });
  audit.issuedToExcepted(pod() as Pod, { resource: 'r' } as unknown as TokenRequest, 1000);
  audit.commit();
  const line = JSON.parse(text) as Record<string, unknown>;
  expect(line).toMatchObject({ level: 'info', program: 'azimuth-nmi', component: 'audit', msg: 'token issued' });
  expect(line['name']).toBeUndefined();
});
