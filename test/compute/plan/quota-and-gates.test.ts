import { expect, test } from '@jest/globals';
import { type GatedObject, gateProblems } from '../../../runtime/compute/plan/gate-problems.ts';
import { type MachineNeed, quotaFindings } from '../../../runtime/compute/plan/quota-problems.ts';

const need = (name: string, additional: Record<string, number>): MachineNeed => ({
  key: `VirtualMachine.compute.azure.com/${name}`,
  subscription: 's',
  location: 'westeurope',
  additional: new Map(Object.entries(additional)),
});
const cores = { name: 'cores', current: 90, limit: 100 };
const place = (key: string) => `documents[${key.endsWith('large') ? 1 : 0}]`;

test('machines that each have quota may lack it together; the largest one has the problem', () => {
  const needs = [need('small', { cores: 4 }), need('large', { cores: 8 })];
  expect(quotaFindings(needs.slice(0, 1), [cores], place).problems).toEqual([]);
  expect(quotaFindings(needs.slice(1), [cores], place).problems).toEqual([]);
  const { problems } = quotaFindings(needs, [cores], place);
  expect(problems).toEqual([
    {
      path: 'documents[1] VirtualMachine.compute.azure.com/large',
      message: expect.stringMatching(
        /^westeurope of the subscription s has 90 of 100 cores in use, and this plan needs 12 more, for .*large \(8\), .*small \(4\): /,
      ),
    },
  ]);
});

test('machines with the same need have the order of their names, whichever answer of Azure came first', () => {
  const needs = [need('second', { cores: 6 }), need('first', { cores: 6 })];
  const [problem] = quotaFindings(needs, [cores], place).problems;
  expect(problem?.message).toMatch(/for .*first \(6\), .*second \(6\): /);
  expect(quotaFindings(needs.toReversed(), [cores], place).problems).toEqual([problem]);
});

test('each limit that is exceeded is a problem of its own, and one that Azure does not name is said', () => {
  const needs = [need('a', { cores: 20, lowprioritycores: 5, standardxfamily: 20, virtualmachines: 1 })];
  const usages = [
    cores,
    { name: 'lowprioritycores', current: 0, limit: 4 },
    { name: 'virtualmachines', current: 0, limit: 9 },
  ];
  const { problems, unnamed } = quotaFindings(needs, usages, place);
  expect(problems.map(({ message }) => /in use, and this plan needs (\d+) more/.exec(message)?.[1])).toEqual([
    '20',
    '5',
  ]);
  expect(unnamed).toEqual(['standardxfamily']);
});

const feature = 'azimuth.dev/ManagedSecrets';
const gated = (name: string, ...subscriptions: (string | undefined)[]): GatedObject => ({
  key: name,
  path: `documents[0] ${name}`,
  subscriptions,
});
const registration = { metadata: { name: 'west' }, spec: { feature, subscription: 'S1' }, ready: false };
const gates = (approvals: readonly { until?: string }[]) => ({
  registrations: () => [registration],
  approvals: (name: string) => approvals.map((each) => ({ metadata: { name: 'a' }, spec: { for: { name }, ...each } })),
});

test('a closed gate is one problem for all objects of its subscription, and an approval in force opens it', () => {
  const objects = [gated('web', 's1'), gated('db', 's1', 's2'), gated('new', undefined)];
  const now = Date.parse('2026-01-01T00:00:00Z');
  const closed = gateProblems(objects, feature, gates([{ until: '2025-12-31T00:00:00Z' }]), now);
  expect(closed).toEqual([
    {
      path: 'documents[0] web',
      message: expect.stringMatching(/west .* no FeatureApproval in force.*nothing for web, db$/),
    },
    {
      path: 'documents[0] db',
      message: expect.stringMatching(/subscription s2 has no FeatureRegistration.*nothing for db$/),
    },
  ]);
  expect(gateProblems([gated('web', 's1')], feature, gates([{}]), now)).toEqual([]);
});

test('a feature of Azure opens the gate when its registration is Ready', () => {
  const own = 'Microsoft.Compute/Secrets';
  const open = (ready: boolean) => ({
    ...gates([{}]),
    registrations: () => [{ ...registration, spec: { feature: own, subscription: 's1' }, ready }],
  });
  expect(gateProblems([gated('web', 's1')], own, open(false), 0)).toMatchObject([
    { message: expect.stringContaining('is not Ready') },
  ]);
  expect(gateProblems([gated('web', 's1')], own, open(true), 0)).toEqual([]);
});
