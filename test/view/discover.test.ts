import { expect, test } from '@jest/globals';
import type { KubeClient } from '../../runtime/kube/client/types.ts';
import { discoverKinds } from '../../runtime/view/read/discover.ts';

const type = { group: 'azimuth.dev', version: 'v1', plural: 'things', kind: 'Thing', namespaced: true } as const;
const groups = { kind: 'APIGroupList', groups: [{ name: type.group, versions: [{ version: 'v1' }, { version: 1 }] }] };
const resources = { kind: 'APIResourceList', groupVersion: 'azimuth.dev/v1', resources: [{ name: 'things' }] };
const clientOf = (answers: Record<string, unknown>) =>
  ({ raw: async (path: string) => answers[path] }) as unknown as KubeClient;

test('a kind is found by the discovery of its group', async () => {
  const client = clientOf({ '/apis': groups, '/apis/azimuth.dev/v1': resources });
  expect(await discoverKinds(client, [{ type }])).toEqual({ kinds: [{ type }], problems: [] });
});

test('a wrong answer to discovery is an error or a problem, and no empty view', async () => {
  await expect(discoverKinds(clientOf({ '/apis': {} }), [{ type }])).rejects.toMatchObject({ code: 'AZ_KUBE_ANSWER' });
  const client = clientOf({ '/apis': groups, '/apis/azimuth.dev/v1': {} });
  const { kinds, problems } = await discoverKinds(client, [{ type }]);
  expect(kinds).toEqual([]);
  expect(problems).toEqual([expect.stringContaining('expected an APIResourceList')]);
});
