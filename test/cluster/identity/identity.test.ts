/** The identity controller on a real API server: a storm of pods, and what it costs. */
import { expect, test } from '@jest/globals';
import { loadKubeConnection } from '../../../runtime/kube/config/kubeconfig.ts';
import { report } from '../../bench/bench.ts';
import { figuresOf } from '../../bench/identity/identity.bench.ts';
import { storm } from '../../bench/identity/identity-storm.ts';

test('500 pods on 20 nodes with 50 identities, bound in one storm', async () => {
  const pods = 500;
  const sizes = { pods, nodes: 20, identities: 50, scaleSets: 4, operationMs: 2000, single: 20 };
  const result = await storm({ connection: loadKubeConnection(), ...sizes });
  report(
    { name: 'identity', description: 'a storm on a real API server', run: async () => [] },
    figuresOf(pods, result),
  );
  expect(result.wrong).toBe(0);
  // One or two while the bindings come in, one or two for the rest, some more where those come slowly: never one for each pod or identity.
  for (const count of result.patches) expect(count).toBeLessThanOrEqual(12);
  // Created, attached, and one more for a pod that comes while its scale set is being written.
  const writes = Object.entries(result.requests).filter(([key]) => key.endsWith(' azureassignedidentities'));
  expect(writes.reduce((sum, [, count]) => sum + count, 0)).toBeLessThanOrEqual(pods * 3);
}, 900_000);
