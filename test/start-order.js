import { existsSync } from 'node:fs';
import Sequencer from '@jest/test-sequencer';

/** Files that take longest in their tier, in this order, or wait for seconds while others use the processor. */
const first = [
  // The cluster tier.
  'test/cluster/operator/samples.test.ts',
  'test/cluster/operator/deployments.test.ts',
  'test/cluster/operator/many-resources.test.ts',
  'test/cluster/operator/machine-scenarios.test.ts',
  'test/cluster/kube/api-types.test.ts',
  'test/cluster/manifests/manifests.test.ts',
  'test/cluster/identity/identity.test.ts',
  // The slow tier.
  'test/operator/deployments/kills-and-size.slow.test.ts',
  'test/operator/deployments/scenarios.slow.test.ts',
  'test/package/package.slow.test.ts',
  'test/cli/az.slow.test.ts',
  'test/cli/az-storage.slow.test.ts',
  'test/operator/managed-secrets/managed-secrets-crash.slow.test.ts',
  'test/identity/crash.slow.test.ts',
  'test/import/samples.slow.test.ts',
  'test/operator/samples/samples.slow.test.ts',
  'test/replay/recordings.slow.test.ts',
  'test/operator/rotation/crash-rotation.slow.test.ts',
  'test/operator/deployments/deployments-crash.slow.test.ts',
  'test/ui/memory/memory.slow.test.ts',
  'test/identity/process.slow.test.ts',
  'test/operator/managed-secrets/roll-crash.slow.test.ts',
  'test/operator/kinds/catalogue.slow.test.ts',
  'test/tools/descriptions.slow.test.ts',
  'test/operator/export/expression-process.slow.test.ts',
  'test/nmi/sandbox.slow.test.ts',
  'test/nmi/faults.slow.test.ts',
  'test/nmi/cases/answers.slow.test.ts',
  // The quick tier.
  'test/kube/controller/manager.test.ts',
  'test/operator/late-events.test.ts',
  'test/operator/reconcile/retry.test.ts',
  'test/nmi/tokens/availability-windows.test.ts',
  'test/operator/lifecycle/deletion.test.ts',
  'test/operator/lifecycle/deletion-edges.test.ts',
];

const missing = first.filter((file) => !existsSync(file));
if (missing.length > 0) throw new Error(`test/start-order.js names files that do not exist: ${missing.join(', ')}`);

/** Starts long files first, also in a run without Jest's record of a former one, so that none is left alone at the end. */
export default class StartOrder extends Sequencer {
  sort(tests) {
    const place = ({ path }) => {
      const index = first.findIndex((file) => path.endsWith(file));
      return index < 0 ? first.length : index;
    };
    return super.sort(tests).sort((a, b) => place(a) - place(b));
  }
}
