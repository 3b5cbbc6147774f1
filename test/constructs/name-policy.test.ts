import { expect, test } from '@jest/globals';
import { Environment } from '@marcbachmann/cel-js';
import { App } from 'cdk8s';
import { Platform, type PlatformProps } from '../../constructs/index.ts';
import { defaultNameProblem, defaultNameRules } from '../../runtime/api/arm/name-rules.ts';
import { operatorKinds } from '../../runtime/api/kinds.ts';
import type { KindDefinition } from '../../runtime/api/types.ts';
import type { Manifest } from './manifests.ts';

function admissionObjects(props: Partial<PlatformProps>): Manifest[] {
  const app = new App();
  new Platform(app, 'azimuth', { image: 'azimuth:test', version: 'test', ...props });
  const all: Manifest[] = app.charts.flatMap((chart) => chart.toJson());
  return all.filter(({ apiVersion }) => apiVersion.startsWith('admissionregistration.k8s.io/'));
}
const [policy, binding] = admissionObjects({ kubernetesVersion: '1.30' }) as [Manifest, Manifest];

test('the operator has the policy where each API server has the kinds', () => {
  expect(binding).toMatchObject({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { labels: { 'app.kubernetes.io/part-of': 'azimuth' } },
    spec: { policyName: policy.metadata.name, validationActions: ['Deny'] },
  });
  expect(admissionObjects({ kubernetesVersion: '1.29' })).toEqual([]);
  expect(admissionObjects({})).toEqual([]);
  expect(admissionObjects({ kubernetesVersion: '1.30', operator: false, podIdentity: {} })).toEqual([]);
});

test('it sees creations only, so that objects that exist can change and go', () => {
  const { resourceRules } = policy.spec.matchConstraints;
  expect(resourceRules).toEqual([
    { apiGroups: expect.any(Array), apiVersions: ['*'], resources: ['*'], operations: ['CREATE'], scope: '*' },
  ]);
  expect(resourceRules[0].apiGroups).toEqual(expect.arrayContaining(['storage.azure.com', 'resources.azure.com']));
});

const environment = new Environment()
  .registerVariable('object', 'dyn')
  .registerVariable('request', 'dyn')
  .registerVariable('variables', 'dyn');

/** The messages of the policy for a new object. */
function refusals({ group, plural }: KindDefinition, object: object): string[] {
  const context = { object, request: { resource: { group, resource: plural } }, variables: {} };
  const evaluate = (expression: string) => environment.parse(expression)(context);
  const { matchConditions, variables, validations } = policy.spec;
  if (!matchConditions.every(({ expression }: { expression: string }) => evaluate(expression))) return [];
  for (const { name, expression } of variables) Object.assign(context.variables, { [name]: evaluate(expression) });
  return validations.flatMap(({ expression, messageExpression }: Record<string, string>) =>
    evaluate(expression ?? '') ? [] : [evaluate(messageExpression ?? '')],
  );
}

test.each(
  operatorKinds.filter((kind) => defaultNameRules(kind)).map((kind) => [`${kind.group}/${kind.kind}`, kind] as const),
)('%s: the policy refuses the names that plan and synthesis refuse', (_, kind) => {
  const names = ['a', 'abc', 'my-account', 'a.b', 'x1', '1x', 'ab-', 'n'.repeat(39), 'n'.repeat(105), 'n'.repeat(253)];
  for (const name of names) {
    const object = { metadata: { name }, spec: {} };
    const isRefused = defaultNameProblem(kind, object) !== undefined;
    expect({ name, isRefused: refusals(kind, object).length > 0 }).toEqual({ name, isRefused });
  }
});

test('a refusal names the rule and the way out; a name in the spec counts in place of that of the object', () => {
  const accounts = operatorKinds.find(({ kind }) => kind === 'StorageAccount') as KindDefinition;
  const metadata = { name: 'my-account' };
  expect(refusals(accounts, { metadata })).toEqual([
    'metadata.name: expected a name in Azure that matches ^[a-z0-9]+$, or spec.azureName with such a name, got my-account',
  ]);
  expect(refusals(accounts, { metadata: { name: 'n'.repeat(39) }, spec: {} })).toEqual([
    expect.stringContaining('of 3 to 24 characters'),
  ]);
  expect(refusals(accounts, { metadata, spec: { azureName: 'myaccount' } })).toEqual([]);
  expect(refusals(accounts, { metadata, spec: { azureNameFromConfig: { name: 'c', key: 'k' } } })).toEqual([]);
  expect(refusals({ ...accounts, plural: 'others' }, { metadata, spec: {} })).toEqual([]);
});
