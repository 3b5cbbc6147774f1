import { expect, test } from '@jest/globals';
import { home } from '../../../runtime/compute/managed-secrets/plan.ts';
import { knownSecret } from '../../../runtime/operator/managed-secrets/report/secret-report.ts';

test('machines know when the versions of the home vault end, also former ones', () => {
  const versions = [{ number: 3 }, { number: 2, expires: 2000 }, { number: 1, expires: 1000, enabled: false }];
  const reading = { place: { location: home }, reading: { state: 'Ours', versions } };
  const copies = [{ reading, copy: {}, served: {}, lastOpen: undefined }];
  const context = { object: { metadata: { uid: 'u' }, spec: { kind: 'Certificate' } }, name: 'web' };
  const round = { current: versions[0], plan: {}, rollout: undefined };
  const secret = knownSecret(context as never, round as never, copies as never, '');
  expect(secret).toMatchObject({ number: 3, ends: { 1: 1000, 2: 2000 } });
});
