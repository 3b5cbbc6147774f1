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
