import { expect, test } from '@jest/globals';
import { KubeStatusError } from '../../../../runtime/kube/client/status-error.ts';
import type { KubeObject } from '../../../../runtime/kube/client/types.ts';
import { ApproverNames } from '../../../../runtime/operator/approvals/approver-names.ts';
import { type ApprovalObject, Approvals } from '../../../../runtime/operator/deployments/gates/approvals.ts';

const at = (minute: number) => `2026-11-29T10:0${minute}:00Z`;
const run = { metadata: { namespace: 'shop', name: 'run-1', creationTimestamp: at(1) } } as KubeObject;
const approval = {
  metadata: { namespace: 'shop', name: 'a', creationTimestamp: at(3) },
  spec: { run: 'run-1', wave: 1, approvedBy: 'alice' },
} as ApprovalObject;
const approvalsWith = (tryGet: unknown, approvals = [approval]) =>
  new Approvals({ byIndex: () => approvals }, new ApproverNames({ tryGet } as never));
const approvedBy = async (policy: string | undefined, binding: string | undefined) => {
  const made = (creationTimestamp: string | undefined) => creationTimestamp && { metadata: { creationTimestamp } };
  const tryGet = async ({ plural }: { readonly plural: string }) =>
    made(plural === 'validatingadmissionpolicies' ? policy : binding);
  return await approvalsWith(tryGet).of(run, 1, new AbortController().signal);
};

test.each([
  ['policy and binding are older than the approval', at(2), at(3), 'alice'],
  ['the policy is newer', at(4), at(2), 'alice (unverified'],
  ['the binding is newer', at(2), at(4), 'alice (unverified'],
  ['there is no binding', at(2), undefined, 'alice (unverified'],
])('%s: the gate shows whether the name is verified', async (_what, policy, binding, name) => {
  const shown = await approvedBy(policy, binding);
  expect(shown?.startsWith(name)).toBe(true);
  expect(shown?.includes('unverified')).toBe(name !== 'alice');
});

test('an approval whose admission policy cannot be read counts, and its name is unverified', async () => {
  const tryGet = async () => {
    throw new KubeStatusError({ verb: 'get', resource: 'validatingadmissionpolicies' }, 429, {});
  };
  const { signal } = new AbortController();
  const shown = await approvalsWith(tryGet).of(run, 1, signal);
  expect(shown).toBe('alice (unverified: the admission policy could not be read)');
  const unnamed = { ...approval, spec: { ...approval.spec, approvedBy: '' } };
  expect(await approvalsWith(tryGet, [unnamed]).of(run, 1, signal)).toBeUndefined();
  await expect(approvalsWith(tryGet).of(run, 1, AbortSignal.abort())).rejects.toMatchObject({ status: 429 });
});
