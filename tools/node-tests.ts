/**
 * `npm run test:node`: the tests under test/node, whose pods a real kubelet runs. It starts a cluster with a node on this
 * machine and ends it, whatever happens; needs root, and the programs that its message names where they are missing.
 * With KUBECONFIG and KUBE_RUN of one that runs already, that one is used and stays. `--check` only prints whether it can.
 */
import { spawn } from 'node:child_process';
import { type NodeCluster, nodeProblem, startNodeCluster } from './clusters/node-cluster.ts';

const limitMs = 25 * 60_000;
const [check, args] = process.argv[2] === '--check' ? [true, []] : [false, process.argv.slice(2)];
const { KUBECONFIG, KUBE_RUN } = process.env;
const running: NodeCluster | undefined =
  KUBECONFIG && KUBE_RUN ? { env: { KUBECONFIG, KUBE_RUN }, stop: async () => undefined } : undefined;
const problem = running ? undefined : nodeProblem();

if (problem !== undefined) {
  console.error(`test:node cannot run here: ${problem}.`);
  process.exitCode = 1;
} else if (!check) {
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interrupted.abort(signal));
  const cluster = running ?? (await startNodeCluster());
  try {
    interrupted.signal.throwIfAborted();
    process.exitCode = await jest(cluster, interrupted.signal);
  } finally {
    await cluster.stop();
  }
}

function jest({ env }: NodeCluster, interrupted: AbortSignal): Promise<number> {
  const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js'];
  return new Promise((resolve, reject) => {
    const child = spawn('node', [...flags, ...args], {
      stdio: 'inherit',
      env: { ...process.env, ...env, AZIMUTH_TEST_TIER: 'node' },
      timeout: limitMs,
    });
    interrupted.addEventListener('abort', () => child.kill('SIGTERM'));
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}
