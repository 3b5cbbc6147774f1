/** A plan refuses the templates that a run refuses, as no answer decides their names. */
import { expect, test } from '@jest/globals';
import { identityModule, roleModule, textOf } from '../deployments/rounds/azd-template.ts';
import { deployment, plan } from './support.ts';

const locations = [{ name: 'westeurope' }];
const planOf = (resources: readonly object[]) =>
  plan([
    deployment({ locations, template: { arm: { json: textOf(resources), owner: { name: 'shop-${location}' } } } }),
  ]);
const identityId = "resourceId('Microsoft.ManagedIdentity/userAssignedIdentities', 'app')";

test('a name that an identity of an earlier module decides is a note', () => {
  const { problems, notes } = planOf([identityModule('app'), roleModule('app')]);
  expect(problems).toEqual([]);
  expect(notes.join()).toContain('is not in the plan');
});

test.each([
  [
    'an identity that comes after the name',
    [
      { ...identityModule('app'), dependsOn: ["[resourceId('Microsoft.Resources/deployments', 'role-app')]"] },
      roleModule('app', `[reference(${identityId}, '2023-01-31').principalId]`),
    ],
    'The resource that answers comes after this one: remove the dependency between them',
  ],
])('%s is a problem', (_, resources, message) => {
  const { problems } = planOf(resources);
  expect(problems).toEqual([
    { path: expect.stringMatching(/^documents\[0\]\.spec\.template\.arm/), message: expect.stringContaining(message) },
  ]);
});

test('more answers than a run takes are a problem', () => {
  const many = Array.from({ length: 201 }, (_, index) => {
    const id = `/subscriptions/s/resourceGroups/g/providers/Microsoft.Storage/storageAccounts/a${index}`;
    return { ...roleModule(`r${index}`, `[reference('${id}', '2023-01-31').principalId]`), dependsOn: [] };
  });
  expect(planOf(many.slice(1)).problems).toEqual([]);
  expect(planOf(many).problems.map(({ message }) => message)).toEqual([
    'Names of the template are decided by 201 of at most 200 answers: name resources by parameters, or split the deployment',
  ]);
});
