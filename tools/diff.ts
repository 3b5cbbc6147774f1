/**
 * `npm run diff -- FOLDER` or `npm run diff -- --cluster`: the changes of a synthesis with the present environment to a
 * folder of manifests, or in the cluster of the kubeconfig. Ends with 0 without a difference, 1 with one, 2 on failure.
 *
 * With --cluster:
 *   --field-manager NAME     the manager that applies the manifests (default: the one that applied most of those in the
 *                            cluster, such as argocd-controller; kubectl where there is none)
 *   --force-conflicts=false  fails where other managers have set a field to another value (default: true, shows it)
 */
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const patterns = ['*.k8s.yaml', 'Kustomization', 'gitops/*.yaml'];
/** Bytes of the names of all field managers. */
const maxBuffer = 16 * 1024 * 1024;

interface ClusterOptions {
  readonly fieldManager: string | undefined;
  readonly force: string;
}

/** A folder, or how to compare with the cluster. Throws for other arguments, naming them. */
function readArguments(args: string[]): string | ClusterOptions {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      cluster: { type: 'boolean' },
      'field-manager': { type: 'string' },
      'force-conflicts': { type: 'string' },
    },
  });
  const [folder] = positionals;
  const { cluster, 'field-manager': fieldManager, 'force-conflicts': force = 'true' } = values;
  if (cluster && folder === undefined && /^(true|false)$/.test(force)) return { fieldManager, force };
  const isFolder = args.length === 1 && folder !== undefined && existsSync(folder);
  if (isFolder) return folder;
  const usage = '--cluster with --field-manager NAME and --force-conflicts true or false';
  throw new Error(`expected a folder that exists, or ${usage}, got \`${args.join(' ')}\``);
}

function compareWithFolder(manifests: string, folder: string): number {
  // Files that are no manifests of ours, such as a chart beside them, count on neither side.
  const names = new Set([manifests, resolve(folder)].flatMap((cwd) => globSync(patterns, { cwd })));
  const statuses = [...names].sort().map((name) => {
    const sides = [resolve(folder), manifests].map((each) => join(each, name));
    return run('git', ['diff', '--no-index', '--', ...sides.map((file) => (existsSync(file) ? file : '/dev/null'))]);
  });
  return Math.max(0, ...statuses);
}

/** A dry run writes nothing, so it may take over the fields of others to show what they become. */
function compareWithCluster(manifests: string, { fieldManager, force }: ClusterOptions): number {
  const manager = fieldManager ?? managerOf(manifests);
  console.error(`diff: as the field manager ${manager}`);
  const flags = ['--server-side', `--field-manager=${manager}`, `--force-conflicts=${force}`];
  return run('kubectl', ['diff', ...flags, '-f', manifests]);
}

/** The manager that applied most of the objects: only an apply by it shows what leaves the manifests. */
function managerOf(manifests: string): string {
  const managers = 'jsonpath={..metadata.managedFields[?(@.operation=="Apply")].manager}';
  const { stdout } = spawnSync('kubectl', ['get', '--ignore-not-found', '-f', manifests, '-o', managers], {
    encoding: 'utf8',
    maxBuffer,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const byName = Map.groupBy((stdout ?? '').split(/\s+/).filter(Boolean), (name) => name);
  const [most] = [...byName].sort(([, a], [, b]) => b.length - a.length);
  return most?.[0] ?? 'kubectl';
}

/** The exit code of a program that prints differences: 0 and 1 as they are, anything else is a failure. */
function run(program: string, args: readonly string[]): number {
  const { status, error } = spawnSync(program, args, { stdio: 'inherit' });
  if (error) console.error(`diff: ${program} did not start: ${error.message}`);
  return status === 0 || status === 1 ? status : 2;
}

function main(): number {
  const target = readArguments(process.argv.slice(2));
  const folder = mkdtempSync(join(tmpdir(), 'azimuth-diff-'));
  try {
    const { status } = spawnSync('node', ['--import', './bin/compile-cache.js', 'main.ts'], {
      env: { ...process.env, CDK8S_OUTDIR: folder },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    if (status !== 0) return 2;
    return typeof target === 'string' ? compareWithFolder(folder, target) : compareWithCluster(folder, target);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

try {
  process.exitCode = main();
} catch (error) {
  console.error(`diff: ${(error as Error).message}`);
  process.exitCode = 2;
}
