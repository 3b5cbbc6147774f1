/**
 * `npm run diff -- FOLDER` or `npm run diff -- --cluster`: the changes of a synthesis with the present environment to a
 * folder of manifests, or in the cluster of the kubeconfig. Ends with 0 without a difference, 1 with one, 2 on failure.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const [target, ...rest] = process.argv.slice(2);

function compare(manifests: string): number {
  if (target === '--cluster') return run('kubectl', ['diff', '--server-side', '-f', manifests]);
  // Files that are no manifests of ours, such as a chart beside them, count on neither side.
  const names = new Set([manifests, resolve(target ?? '')].flatMap((cwd) => globSync(patterns, { cwd })));
  const statuses = [...names].sort().map((name) => {
    const sides = [resolve(target ?? ''), manifests].map((folder) => join(folder, name));
    return run('git', ['diff', '--no-index', '--', ...sides.map((file) => (existsSync(file) ? file : '/dev/null'))]);
  });
  return Math.max(0, ...statuses);
}

const patterns = ['*.k8s.yaml', 'Kustomization', 'gitops/*.yaml'];

/** The exit code of a program that prints differences: 0 and 1 as they are, anything else is a failure. */
function run(program: string, args: readonly string[]): number {
  const { status, error } = spawnSync(program, args, { stdio: 'inherit' });
  if (error) console.error(`diff: ${program} did not start: ${error.message}`);
  return status === 0 || status === 1 ? status : 2;
}

function main(): number {
  if (target === undefined || rest.length > 0 || (target !== '--cluster' && !existsSync(target))) {
    const found = target === undefined ? 'none' : `\`${[target, ...rest].join(' ')}\``;
    console.error(`diff: expected a folder that exists, or --cluster, got ${found}`);
    return 2;
  }
  const folder = mkdtempSync(join(tmpdir(), 'azimuth-diff-'));
  try {
    const { status } = spawnSync('node', ['main.ts'], {
      env: { ...process.env, CDK8S_OUTDIR: folder },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    return status === 0 ? compare(folder) : 2;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

process.exitCode = main();
