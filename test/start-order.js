import { existsSync } from 'node:fs';
import Sequencer from '@jest/test-sequencer';

/** Files that wait for seconds at a time, for a timeout or a backoff that they test, while others use the processor. */
const waiting = [
  'test/cluster/operator/many-resources.test.ts',
  'test/operator/races.test.ts',
  'test/operator/late-events.test.ts',
  'test/operator/export/expression-process.slow.test.ts',
  'test/nmi/faults.test.ts',
  'test/nmi/fast-path.test.ts',
  'test/nmi/cases/answers.test.ts',
  'test/base/http-limits.test.ts',
  'test/sandbox/azure/keys.test.ts',
  'test/sandbox/kube/conformance.test.ts',
  'test/operator/deployments/scenarios.slow.test.ts',
  'test/operator/deployments/kills-and-size.slow.test.ts',
  'test/operator/samples/samples.slow.test.ts',
  'test/operator/managed-secrets/managed-secrets-crash.slow.test.ts',
  'test/operator/rotation/crash-rotation.slow.test.ts',
  'test/replay/recordings.slow.test.ts',
];

const missing = waiting.filter((file) => !existsSync(file));
if (missing.length > 0) throw new Error(`test/start-order.js names files that do not exist: ${missing.join(', ')}`);

/** Starts files that wait first, also in a run without Jest's record of a former one, so that none is left alone at the end. */
export default class StartOrder extends Sequencer {
  sort(tests) {
    const waits = ({ path }) => waiting.some((file) => path.endsWith(file));
    const sorted = super.sort(tests);
    return [...sorted.filter(waits), ...sorted.filter((test) => !waits(test))];
  }
}
