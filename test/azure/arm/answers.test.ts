import { expect, test } from '@jest/globals';
import { resourceProblem } from '../../../runtime/azure/arm/answers.ts';

const scope = '/subscriptions/s/resourceGroups/rg/providers/Microsoft.Storage/storageAccounts';
const asked = `${scope}/sa`;

test.each([
  [asked],
  [`${asked}/`],
  [asked.toUpperCase()],
  // As a recording shows it, where the subscription was made unrecognisable in one place only.
  [asked.replace('/subscriptions/s/', '/subscriptions/82ACD5BB/')],
])('%s is the resource that was asked for', (id) => {
  expect(resourceProblem({ id }, asked)).toBeUndefined();
});

test.each([
  [{}, 'a document without an id'],
  [{ id: 7 }, 'a document without an id'],
  [{ id: `${scope}/other` }, `the id ${scope}/other`],
  [{ id: `${asked}/blobServices/default` }, `the id ${asked}/blobServices/default`],
  [{ error: { code: 'Odd' } }, 'a document without an id'],
])('%j is not', (body, problem) => {
  expect(resourceProblem(body, asked)).toBe(problem);
});

test('of a resource that exists once in its owner, Azure chooses the name', () => {
  expect(resourceProblem({ id: `${asked}/throughputSettings/xY-z` }, `${asked}/throughputSettings/default`, true)).toBe(
    undefined,
  );
  expect(resourceProblem({ id: `${asked}/other/default` }, `${asked}/throughputSettings/default`, true)).toBeDefined();
});

test('Azure keeps the role definition of a resource group at the subscription, and its scopes name the group', () => {
  const role = '/providers/Microsoft.Authorization/roleDefinitions/r';
  const [ofGroup, shown] = [`/subscriptions/s/resourceGroups/rg${role}`, `/subscriptions/s${role}`];
  const assignable = (...assignableScopes: string[]) => ({ id: shown, properties: { assignableScopes } });
  const scopes = ['/subscriptions/s/resourceGroups/other', '/subscriptions/s/resourceGroups/RG/'];
  expect(resourceProblem(assignable(...scopes), ofGroup)).toBeUndefined();
  expect(resourceProblem(assignable(scopes[0] as string), ofGroup)).toBe(`the id ${shown}`);
  expect(resourceProblem({ id: shown }, ofGroup)).toBe(`the id ${shown}`);
  expect(resourceProblem({ ...assignable(...scopes), id: `${shown}2` }, ofGroup)).toBe(`the id ${shown}2`);
});
