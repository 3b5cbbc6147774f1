import { expect, test } from '@jest/globals';
import { clouds } from '../../../../runtime/azure/clouds.ts';
import { ManualClock } from '../../../../runtime/base/clock.ts';
import { AzimuthError } from '../../../../runtime/base/errors.ts';
import { asksForDeployer, goalText, parseGoal, withDeployer } from '../../../../runtime/compute/deployments/goal.ts';
import type { KubeObject } from '../../../../runtime/kube/client/types.ts';
import type { ChosenCredential } from '../../../../runtime/operator/credentials/credentials.ts';
import { Deployers } from '../../../../runtime/operator/deployments/sources/deployers.ts';

const clock = new ManualClock();
const signal = new AbortController().signal;
const objectId = 'aaaaaaaa-0000-1111-2222-bbbbbbbbbbbb';
const tenantId = 'aaaa0a0a-bb1b-cc2c-dd3d-eeeeee4e4e4e';
const tokenOf = (claims: object) => `marked.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.x`;
const deployment = (namespace: string) => ({ apiVersion: 'v', kind: 'D', metadata: { namespace, name: 'shop' } });

/** The credentials of namespaces, whose tokens these are. */
function deployersWith(tokens: Readonly<Record<string, string | Error>>) {
  const asked: string[] = [];
  const chosen = Object.entries(tokens).map(([namespace, token]) => {
    const getToken = async ({ audience }: { readonly audience: string }) => {
      asked.push(`${namespace} ${audience}`);
      if (token instanceof Error) throw token;
      return { token, expiresOn: 0 };
    };
    const credential = { authorizer: { description: '', getToken }, cloud: clouds.AzurePublicCloud };
    return [namespace, { credential, source: `${namespace}/aso-credential` } as unknown as ChosenCredential] as const;
  });
  const byNamespace = new Map(chosen);
  const credentialFor = async ({ metadata }: KubeObject) =>
    byNamespace.get(metadata.namespace ?? '') as ChosenCredential;
  return { deployers: new Deployers({ credentialFor }, clock), asked };
}

test('one token of a credential names the deployer, and each namespace has its own', async () => {
  const other = { objectId: tenantId, tenantId: objectId };
  const { deployers, asked } = deployersWith({
    team: tokenOf({ oid: objectId, tid: tenantId }),
    other: tokenOf({ oid: other.objectId, tid: other.tenantId }),
  });
  expect(await deployers.of(deployment('team'), signal)).toEqual({ objectId, tenantId });
  expect(await deployers.of(deployment('team'), signal)).toEqual({ objectId, tenantId });
  expect(await deployers.of(deployment('other'), signal)).toEqual(other);
  expect(asked).toEqual(['team https://management.azure.com', 'other https://management.azure.com']);
});

test.each([
  ['no token', 'marked', /token of team\/aso-credential does not say whose it is/],
  ['no object id', tokenOf({ tid: tenantId }), /does not say whose it is/],
  ['an object id that is an expression', tokenOf({ oid: '[resourceGroup().id]', tid: tenantId }), /does not say/],
  ['a refusal', new AzimuthError('AZ_AUTH_FAILED', 'AADSTS7000215'), /deployer\(\) has no value: AADSTS7000215/],
])('%s is a problem that may pass, and is asked again after 30 s', async (_what, token, message) => {
  const { deployers, asked } = deployersWith({ team: token });
  const found = await deployers.of(deployment('team'), signal);
  expect(found).toEqual({
    problem: { path: 'template.arm.json', message: expect.stringMatching(message), retryAfterMs: 30_000 },
  });
  expect(JSON.stringify(found)).not.toContain('marked');
  await clock.advance(29_000);
  expect(await deployers.of(deployment('team'), signal)).toEqual(found);
  expect(asked).toHaveLength(1);
  await clock.advance(2000);
  await deployers.of(deployment('team'), signal);
  expect(asked).toHaveLength(2);
});

test('a goal records the deployer beside its time, only for a template that calls deployer()', () => {
  const json = '{"x":"[deployer().objectId]"}';
  const goal = { template: { arm: { json, owner: { name: 'rg' } } }, parameters: {}, locations: [], at: '2026-01-01' };
  expect(parseGoal(withDeployer(goalText(goal), { objectId, tenantId }))).toEqual({
    ...goal,
    deployer: { objectId, tenantId },
  });
  const calls = ['[DEPLOYER ()]', JSON.stringify('[concat(\n\tdeployer\r\n().objectId)]')];
  for (const text of [json, ...calls]) expect(asksForDeployer(text)).toBe(true);
  for (const text of ['deployerName()', 'thedeployer()']) expect(asksForDeployer(text)).toBe(false);
});
