/**
 * `npm run test:judges`: tests whose judge is a current program that the machine does not have. Each part builds or installs
 * its judge first (tools/judges: one Go module, one cache) and fails where it cannot, with what is missing. Without a name
 * every part runs; `npm run test:judges -- kubernetes` runs one, and further words go to its tests.
 */
import { spawnSync } from 'node:child_process';

const parts: Readonly<Record<string, (rest: readonly string[]) => number>> = {
  /** The cluster tier on a current etcd and kube-apiserver. */
  kubernetes: (rest) => {
    const built = spawnSync('tools/judges/build.sh', ['etcd', 'kube-apiserver'], {
      stdio: ['ignore', 'pipe', 'inherit'],
      encoding: 'utf8',
    });
    if (built.status !== 0) return built.status ?? 1;
    const env = { ...process.env, KUBECONFIG: '', KUBEBUILDER_ASSETS: built.stdout.trim() };
    return spawnSync('node', ['tools/cluster-tests.ts', ...rest], { stdio: 'inherit', env }).status ?? 1;
  },
};

const [name, ...rest] = process.argv.slice(2);
const wanted = name === undefined ? Object.keys(parts) : [name];
for (const part of wanted) {
  const run = parts[part];
  if (!run) console.error(`There is no part ${part}: name one of ${Object.keys(parts).join(', ')}, or none for all.`);
  const status = run?.(rest) ?? 2;
  console.log(`${status === 0 ? 'ok    ' : 'FAILED'} ${part}`);
  if (status !== 0) process.exitCode = status;
}
