import { expect, test } from '@jest/globals';
import { removedDefinition } from '../../../runtime/kube/client/removed-definition.ts';
import { KubeStatusError } from '../../../runtime/kube/client/status-error.ts';
import type { KubeClient } from '../../../runtime/kube/client/types.ts';
import { widgets } from '../../fakes/kube-objects.ts';

const name = `${widgets.plural}.${widgets.group}`;
const refusal = (status: number) => new KubeStatusError({ verb: 'get', resource: 'discovery' }, status, {});
const groupVersion = `${widgets.group}/${widgets.version}`;
const served = {
  kind: 'APIResourceList',
  groupVersion,
  resources: [{ name: `${widgets.plural}/status` }, { name: widgets.plural }],
};

/** What an API server with these definitions and this discovery answers. */
const removed = (definitions: readonly object[], discovery: unknown = served, before?: number) => {
  const raw = async () => {
    if (discovery instanceof Error) throw discovery;
    return discovery;
  };
  const client = { list: async () => ({ items: definitions.map((metadata) => ({ metadata })) }), raw };
  return removedDefinition(client as unknown as KubeClient, widgets, new AbortController().signal, before);
};

test('a definition stays unless it is being deleted or younger than the given time', async () => {
  const creationTimestamp = '2026-01-01T00:00:01Z';
  const created = Date.parse(creationTimestamp);
  expect(await removed([{ name, creationTimestamp }])).toBeUndefined();
  expect(await removed([{ name, creationTimestamp, deletionTimestamp: creationTimestamp }])).toBe(name);
  expect(await removed([{ name, creationTimestamp }], served, created - 1)).toBe(name);
});

test.each([
  ['the API server has not its group', refusal(404)],
  ['its group has other kinds', { ...served, resources: [{ name: 'others' }] }],
  ['discovery is forbidden', refusal(403)],
])('a definition that is not listed is gone where %s', async (_, discovery) => {
  expect(await removed([], discovery)).toBe(name);
});

test('an empty list of definitions is not believed while the API server serves the kind', async () => {
  const error = { code: 'AZ_KUBE_ANSWER', retryable: true, message: expect.stringContaining(name) };
  await expect(removed([])).rejects.toMatchObject(error);
});

test.each([
  {},
  [],
  { kind: 'APIResourceList', resources: null },
  { ...served, groupVersion: 'other/v1', resources: [] },
])('neither is it where discovery answers %j', async (discovery) => {
  await expect(removed([], discovery)).rejects.toMatchObject({ code: 'AZ_KUBE_ANSWER', retryable: true });
});
