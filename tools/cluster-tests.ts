/**
 * `npm run test:cluster`: the tests under test/cluster against a real API server: the one that KUBECONFIG names, or two
 * started from the etcd and kube-apiserver in KUBEBUILDER_ASSETS, which share the files. Without either it fails: this
 * tier is never skipped.
 */
import { spawnSync } from 'node:child_process';
import { type ApiServer, startApiServer } from './clusters/envtest.ts';

const { KUBECONFIG, KUBEBUILDER_ASSETS } = process.env;

function run(...kubeconfigs: string[]): number {
  const args = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js'];
  const { status } = spawnSync('node', [...args, ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: { ...process.env, AZIMUTH_TEST_TIER: 'cluster', AZIMUTH_KUBECONFIGS: JSON.stringify(kubeconfigs) },
  });
  return status ?? 1;
}

if (KUBECONFIG) {
  process.exitCode = run(KUBECONFIG);
} else if (KUBEBUILDER_ASSETS) {
  const servers: ApiServer[] = [];
  try {
    for (let count = 0; count < 2; count++) servers.push(await startApiServer(KUBEBUILDER_ASSETS));
    process.exitCode = run(...servers.map(({ kubeconfig }) => kubeconfig));
  } finally {
    for (const server of servers) await server.stop();
  }
} else {
  console.error('test:cluster needs an API server: set KUBECONFIG to an admin kubeconfig of a test cluster, or');
  console.error('KUBEBUILDER_ASSETS to a directory with the programs etcd and kube-apiserver.');
  process.exitCode = 1;
}
