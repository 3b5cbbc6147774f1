import { expect, test } from '@jest/globals';
import { home } from '../../../runtime/compute/managed-secrets/plan.ts';
import type { SecretVersion } from '../../../runtime/compute/managed-secrets/vault-tags.ts';
import { situationOf } from '../../../runtime/operator/managed-secrets/secret-situation.ts';

const version = (number: number) => ({ number, hash: `${number}`, created: number, enabled: true }) as SecretVersion;
const place = (location: string, versions: SecretVersion[]) =>
  ({ place: { location }, reading: { state: 'Ours', versions } }) as never;

test('no vault gets a version while the state of the rollout is unread', () => {
  const readings = [place(home, [version(2), version(1)]), place('northeurope', [version(1)])];
  const object = { metadata: { name: 'web' }, spec: { kind: 'Certificate', rollout: {} } } as never;
  const input = { object, now: 10, inUse: new Set<number>(), renewNow: false, mayGenerate: false };
  const steps = (isRolloutUnread: boolean) =>
    situationOf(readings, { ...input, isRolloutUnread }).steps.map(({ step }) => step.do);
  expect(steps(false)).toEqual(['Copy']);
  expect(steps(true)).toEqual([]);
});
