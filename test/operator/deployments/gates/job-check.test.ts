import { expect, test } from '@jest/globals';
import { AzimuthError } from '../../../../runtime/base/errors.ts';
import type { ChildAccess } from '../../../../runtime/operator/deployments/child-access.ts';
import { JobChecks } from '../../../../runtime/operator/deployments/gates/job-check.ts';

const place = {
  deployment: { apiVersion: 'v1', kind: 'C', metadata: { namespace: 'shop', name: 'web', uid: 'd' } },
  run: { metadata: { namespace: 'shop', name: 'web-1', uid: 'r' } },
  wave: 1,
  location: 'westeurope',
  since: 0,
} as never;

test('the Job of a gate is not made where the service account of the deployment may not create Jobs', async () => {
  const asked: unknown[] = [];
  let created = 0;
  const access: Pick<ChildAccess, 'accountOf' | 'check'> = {
    accountOf: () => 'system:serviceaccount:shop:deployer',
    check: async (_deployment, { verb, type }) => {
      asked.push([verb, type.plural]);
      throw new AzimuthError('AZ_ACCESS_DENIED', 'it may not create jobs.batch');
    },
  };
  const client = { tryGet: async () => undefined, create: async () => void created++ } as never;
  const checks = new JobChecks({ client, access, isAllowed: true });
  await expect(checks.run('smoke', {}, place, new AbortController().signal)).rejects.toThrow('may not create jobs');
  expect(asked).toEqual([['create', 'jobs']]);
  expect(created).toBe(0);
});
