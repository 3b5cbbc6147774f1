/**
 * `npm run test:judges`: tests whose judge is a current program that the machine does not have. Each part builds or installs
 * its judge first (tools/judges: one Go module, one cache) and fails where it cannot, with what is missing. Without a name
 * every part runs; `npm run test:judges -- kubernetes` runs one, and further words go to its tests.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { programs as nodePrograms } from './node-cluster.ts';

const parts: Readonly<Record<string, (rest: readonly string[]) => number>> = {
  /** The cluster tier on a current etcd and kube-apiserver. */
  kubernetes: (rest) => {
    const programs = build('etcd', 'kube-apiserver');
    if (programs === undefined) return 1;
    return run('tools/cluster-tests.ts', rest, { KUBECONFIG: '', KUBEBUILDER_ASSETS: programs });
  },
  /** The node tier on a current cluster with a kubelet of the same version. */
  kubelet: (rest) => {
    const programs = build('etcd', ...nodePrograms);
    if (programs === undefined) return 1;
    const links = join(programs, 'as-1.20');
    mkdirSync(links, { recursive: true });
    for (const name of nodePrograms) {
      rmSync(join(links, name), { force: true });
      symlinkSync(resolve('tools/judges/as-1.20.sh'), join(links, name));
    }
    return run('tools/node-tests.ts', rest, { KUBECONFIG: '', KUBE_BIN: links, ETCD_BIN: join(programs, 'etcd') });
  },
};

/** Builds the programs; their directory, or undefined where they cannot be built, after the build said why. */
function build(...names: readonly string[]): string | undefined {
  const built = spawnSync('tools/judges/build.sh', names, { stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8' });
  return built.status === 0 ? built.stdout.trim() : undefined;
}

function run(script: string, rest: readonly string[], env: Readonly<Record<string, string>>): number {
  return spawnSync('node', [script, ...rest], { stdio: 'inherit', env: { ...process.env, ...env } }).status ?? 1;
}

const [name, ...rest] = process.argv.slice(2);
const wanted = name === undefined ? Object.keys(parts) : [name];
for (const part of wanted) {
  const run = parts[part];
  if (!run) console.error(`There is no part ${part}: name one of ${Object.keys(parts).join(', ')}, or none for all.`);
  const status = run?.(rest) ?? 2;
  console.log(`${status === 0 ? 'ok    ' : 'FAILED'} ${part}`);
  if (status !== 0) process.exitCode = status;
}
