import { describe, expect, test } from '@jest/globals';
import { isNotFound } from '../../runtime/kube/client/status-error.ts';
import { eventually } from '../fakes/eventually.ts';
import { accountConformance } from './client-accounts.ts';
import { listConformance } from './client-lists.ts';
import { objectConformance } from './client-objects.ts';
import { patchConformance } from './client-patches.ts';
import { clientWorld } from './client-world.ts';

/**
 * Contract of the client with any Kubernetes API. Needs the rights of an administrator; works in a namespace and an API
 * group of its own, both removed at the end. Neither controllers nor nodes are needed.
 */
export function clientConformance(name: string, kubeconfigPath: () => string | Promise<string>): void {
  describe(`client conformance: ${name}`, () => {
    const world = clientWorld(kubeconfigPath);

    test('version and discovery are readable', async () => {
      expect(await world.client.raw('/version')).toMatchObject({ gitVersion: expect.stringMatching(/^v\d+\.\d+/) });
      const path = `/apis/${world.widgets.group}/v1`;
      // A server that has just had other CRDs taken away serves the kind before its discovery tells of it.
      await eventually(
        'the group is discoverable',
        async () => {
          try {
            return (await world.client.raw(path)) !== undefined;
          } catch (error) {
            if (isNotFound(error)) return false;
            throw error;
          }
        },
        60_000,
      );
      expect(await world.client.raw(path)).toMatchObject({
        resources: expect.arrayContaining([
          expect.objectContaining({ name: 'widgets', kind: 'Widget', namespaced: true }),
          expect.objectContaining({ name: 'widgets/status' }),
        ]),
      });
    });

    objectConformance(world);
    patchConformance(world);
    listConformance(world);
    accountConformance(world);
  });
}
