import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createKubeClient } from '../../runtime/kube/client/client.ts';
import { isForbidden } from '../../runtime/kube/client/status-error.ts';
import type { KubeClient } from '../../runtime/kube/client/types.ts';
import type { KubeConnection } from '../../runtime/kube/config/connection.ts';
import { bearerToken } from '../../runtime/kube/config/credentials.ts';
import { fixedText } from '../../runtime/kube/config/text-source.ts';
import { eventually } from '../fakes/eventually.ts';
import type { ClientWorld } from './client-world.ts';
import { configMaps, roleBindings, roles, secrets, serviceAccounts } from './resources.ts';

/** Tokens of service accounts, and the rights that a role gives. */
export function accountConformance(world: ClientWorld): void {
  const { namespace, widgets, configMap, widget, key, failure } = world;
  let client: KubeClient;
  let connection: KubeConnection;
  beforeAll(() => {
    ({ client, connection } = world);
  });

  describe('service accounts', () => {
    let restricted: KubeClient;
    let token: string;

    beforeAll(async () => {
      const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: key('reader') };
      await client.create(serviceAccounts, account);
      const issued = await client.createSubresource<{ status: { token: string; expirationTimestamp: string } }>(
        serviceAccounts,
        key('reader'),
        'token',
        {
          apiVersion: 'authentication.k8s.io/v1',
          kind: 'TokenRequest',
          spec: { expirationSeconds: 3600 },
        },
      );
      token = issued.status.token;
      expect(Date.parse(issued.status.expirationTimestamp)).toBeGreaterThan(Date.now());
      restricted = createKubeClient({ ...connection, credential: bearerToken(fixedText(token)) });
    });
    afterAll(() => restricted?.close());

    test('an issued token names the account and its audience', async () => {
      const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
      expect(claims).toMatchObject({ sub: `system:serviceaccount:${namespace}:reader` });
      expect(claims.exp - claims.iat).toBe(3600);
      const audience = { spec: { audiences: ['api://AzureADTokenExchange'], expirationSeconds: 600 } };
      const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', ...audience };
      const other = await client.createSubresource<{ status: { token: string } }>(
        serviceAccounts,
        key('reader'),
        'token',
        body,
      );
      const { aud } = JSON.parse(Buffer.from(other.status.token.split('.')[1] ?? '', 'base64url').toString());
      expect([aud].flat()).toEqual(['api://AzureADTokenExchange']);
      const foreign = createKubeClient({ ...connection, credential: bearerToken(fixedText(other.status.token)) });
      expect(await failure(foreign.list(configMaps, { namespace }))).toMatchObject({ status: 401 });
      await foreign.close();
    });

    test('a token that nobody issued is unauthorized', async () => {
      const stranger = createKubeClient({ ...connection, credential: bearerToken(fixedText('a.b.c')) });
      expect(await failure(stranger.list(configMaps, { namespace }))).toMatchObject({ status: 401 });
      await stranger.close();
    });

    test('what no role allows is forbidden, for every verb, and a role opens just what it says', async () => {
      const denied = await Promise.all([
        failure(restricted.get(configMaps, key('any'))),
        failure(restricted.list(configMaps, { namespace })),
        failure(restricted.create(configMaps, configMap('any'))),
        failure(restricted.delete(configMaps, key('any'))),
        failure(restricted.watch(configMaps, { namespace, resourceVersion: '0' })[Symbol.asyncIterator]().next()),
      ]);
      for (const error of denied) expect(error).toMatchObject({ status: 403, reason: 'Forbidden' });
      expect(String(denied[1])).toContain('list');

      await client.create(roles, {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'Role',
        metadata: key('reader'),
        rules: [
          { apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list'] },
          { apiGroups: [widgets.group], resources: ['widgets/status'], verbs: ['patch'] },
        ],
      });
      await client.create(roleBindings, {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'RoleBinding',
        metadata: key('reader'),
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader' },
        subjects: [{ kind: 'ServiceAccount', name: 'reader', namespace }],
      });
      await eventually('the role is in force', async () => {
        try {
          await restricted.list(configMaps, { namespace });
          return true;
        } catch (error) {
          if (isForbidden(error)) return false;
          throw error;
        }
      });
      expect(isForbidden(await failure(restricted.create(configMaps, configMap('any'))))).toBe(true);
      expect(isForbidden(await failure(restricted.list(configMaps)))).toBe(true);
      expect(isForbidden(await failure(restricted.list(secrets, { namespace })))).toBe(true);

      await client.create(widgets, widget('restricted', { size: 1 }));
      const patch = { type: 'merge', body: { status: { phase: 'Seen' } } } as const;
      expect(isForbidden(await failure(restricted.patch(widgets, key('restricted'), patch)))).toBe(true);
      const options = { subresource: 'status' };
      expect(await restricted.patch(widgets, key('restricted'), patch, options)).toMatchObject({
        status: { phase: 'Seen' },
      });
    });
  });
}
