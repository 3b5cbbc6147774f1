/**
 * `npm run test:judges`: tests whose judge is a current program that the machine does not have. Each part builds or
 * installs its judge first (tools/judges: one Go module, one cache) and fails where it cannot, with the missing
 * program. Without a name every part runs; `npm run test:judges -- kubernetes` runs one, and further words go to its
 * tests.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { programs as nodePrograms } from './clusters/node-cluster.ts';
import { asoModule } from './judges/aso-module.ts';
import { build } from './judges/build.ts';
import { registryPrograms } from './judges/registries.ts';
import { installSdks } from './judges/sdks.ts';
import { whyNotFetched } from './release/images/debian.ts';
import { readLock } from './release/images/packages.ts';

const parts: Readonly<Record<string, (rest: readonly string[]) => number | Promise<number>>> = {
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
  /** The current az command line and the Python SDKs, against the sandbox. */
  'azure-cli': (rest) => {
    const bin = installAzureCli();
    if (bin === undefined) return 1;
    const tests = rest.length > 0 ? rest : ['test/cli/az.slow.test.ts', 'test/cli/az-storage.slow.test.ts'];
    const env = { PATH: `${bin}:${process.env['PATH']}`, AZIMUTH_AZ_TESTS: 'required' };
    return runTier('slow', tests, env);
  },
  /** The page in Debian's Chromium. */
  browser: (rest) => {
    const chromium = findChromium();
    if (chromium === undefined) return 1;
    const env = { AZIMUTH_CHROMIUM: chromium };
    return runTier('browser', rest, env);
  },
  /** The operator's accounts in real database servers. */
  databases: (rest) => {
    const [postgres, mariadb] = [findPostgres(), findMariaDb()];
    if (postgres === undefined || mariadb === undefined) return 1;
    const env = { AZIMUTH_POSTGRES: postgres, AZIMUTH_MARIADB: mariadb };
    return runTier('database-servers', rest, env);
  },
  /** The stacks by the Pulumi CLI, on the embedded Azure and Kubernetes. */
  pulumi: (rest) => {
    const programs = build('pulumi');
    if (programs === undefined) return 1;
    const tests = rest.length > 0 ? rest : ['test/pulumi/stacks.test.ts', 'test/pulumi/former-stacks.test.ts'];
    return runTier('pulumi', tests, { AZIMUTH_PULUMI: join(programs, 'pulumi') });
  },
  /** The stack of the platform by Pulumi's own Kubernetes provider, on a current etcd and kube-apiserver. */
  'pulumi-kubernetes': (rest) => {
    const programs = build('etcd', 'kube-apiserver', 'kube-controller-manager', 'pulumi', 'pulumi-resource-kubernetes');
    if (programs === undefined) return 1;
    const env = { KUBECONFIG: '', AZIMUTH_GITOPS_TOOLS: programs };
    return runTier('pulumi', ['test/pulumi/kubernetes-provider.test.ts', ...rest], env);
  },
  /** Recorded sessions of the real Azure on the embedded one; NOT RUN where their folder is not beside the clone. */
  sessions: (rest) => run('tools/judges/sessions/run.ts', rest, {}),
  /** Resources by OpenTofu and its provider azurerm on the embedded Azure. */
  terraform: (rest) => run('tools/judges/terraform/run.ts', rest, {}),
  /** Samples and recorded tests of Azure Service Operator's own module. Words select tests by their titles. */
  aso: (rest) => {
    const module = asoModule();
    if (module === undefined) return 1;
    const paths = rest.filter((word) => word.includes('/'));
    const words = rest.filter((word) => !word.includes('/'));
    const selected = words.length > 0 ? ['--testNamePattern', words.join('|')] : [];
    return runTier('aso', [...paths, ...selected], { AZIMUTH_ASO_MODULE: module });
  },
  /**
   * Azure Service Operator's own sample manifests on the embedded cluster, and those beside the clone that the module
   * lacks: their life, and their import.
   */
  'aso-samples': (rest) => {
    const module = asoModule();
    if (module === undefined) return 1;
    const tests =
      rest.length > 0 ? rest : ['test/operator/samples/samples.slow.test.ts', 'test/import/samples.slow.test.ts'];
    const shared = ['../shared/samples', '../shared/samples-rest'];
    const arePresent = shared.every((folder) => existsSync(folder));
    if (!arePresent) console.error(`NOT RUN: the samples of ${shared.join(' and ')}, which are not there.`);
    const folders = [join(module, 'samples'), ...(arePresent ? shared : [])];
    return runTier('slow', tests, { AZIMUTH_SAMPLES: folders.join(delimiter) });
  },
  /** The life of the same samples on a current etcd and kube-apiserver. */
  'aso-kubernetes': (rest) => {
    const [module, programs] = [asoModule(), build('etcd', 'kube-apiserver')];
    if (module === undefined || programs === undefined) return 1;
    const env = { KUBECONFIG: '', KUBEBUILDER_ASSETS: programs, AZIMUTH_SAMPLES: join(module, 'samples') };
    return run('tools/cluster-tests.ts', ['test/cluster/operator/samples.test.ts', ...rest], env);
  },
  /** The CSI provider of the node agent, called by the Secrets Store CSI driver. */
  'csi-driver': (rest) => {
    const programs = build('csi-driver');
    if (programs === undefined) return 1;
    const path = ['list', '-m', '-f', '{{.Dir}}', 'sigs.k8s.io/secrets-store-csi-driver'];
    const { stdout } = spawnSync('go', path, { cwd: 'tools/judges/csi', encoding: 'utf8' });
    return runTier('csi-driver', rest, {
      AZIMUTH_CSI_DRIVER: join(programs, 'csi-driver'),
      AZIMUTH_CSI_DRIVER_MODULE: stdout.trim(),
    });
  },
  /** The current Azure SDKs of five languages against the node daemon's refusals. */
  sdks: (rest) => {
    const ready = 'ip link set lo up && ip address add 169.254.169.254/32 dev lo && exec "$@"';
    const namespace = ['--net', 'sh', '-c', ready, 'sh'];
    if (spawnSync('unshare', [...namespace, 'true']).status !== 0) {
      console.error('NOT RUN: the part sdks needs root, unshare and ip for a network namespace of its own.');
      return 1;
    }
    const programs = installSdks();
    const tests = [process.execPath, ...jest, ...rest];
    const env = { ...process.env, AZIMUTH_TEST_TIER: 'sdks', AZIMUTH_SDKS: JSON.stringify(programs) };
    return spawnSync('unshare', [...namespace, ...tests], { stdio: 'inherit', env }).status ?? 1;
  },
  /**
   * The artefacts of a release, made twice of the current commit, installed and read by npm, Helm and sha256sum. Without
   * the images where Debian has replaced a package of theirs.
   */
  release: (rest) => {
    const programs = build('helm');
    if (programs === undefined) return 1;
    const withoutImages = whyNotFetched(readLock()) ?? '';
    const status = runTier('release', rest, {
      AZIMUTH_GITOPS_TOOLS: programs,
      AZIMUTH_WITHOUT_IMAGES: withoutImages,
    });
    rmSync('.azimuth/release-judge', { recursive: true, force: true });
    return status;
  },
  /** The artefacts of a release in registries on loopback, installed from there. */
  registries: (rest) => {
    const env = registryPrograms();
    if (env === undefined) return 1;
    const status = runTier('registries', rest, env);
    rmSync('.azimuth/release-judge', { recursive: true, force: true });
    return status;
  },
  /** The costs of our programs beside those of the Go programs that they replace. Words name the programs. */
  peers: (rest) => run('test/bench/peers/run.ts', rest, {}),
  /** Helm, Kustomize, kubeconform, and the libraries of Argo CD and Flux, on a current API server. */
  gitops: (rest) => {
    const programs = build('etcd', 'kube-apiserver', 'helm', 'kustomize', 'kubeconform', 'gitops');
    if (programs === undefined) return 1;
    const env = { KUBECONFIG: '', AZIMUTH_GITOPS_TOOLS: programs };
    return runTier('gitops', rest, env);
  },
};

/** The newest version on PyPI when it was last tried. */
const azureCliVersion = '2.91.0';

const jest = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js'];

/** The path of Chromium, installed where root runs this on Debian; undefined after a message on its absence. */
function findChromium(): string | undefined {
  const find = () => spawnSync('sh', ['-c', 'command -v chromium'], { encoding: 'utf8' }).stdout.trim() || undefined;
  if (find() === undefined && process.getuid?.() === 0) {
    spawnSync(
      'sh',
      ['-c', 'apt-get -qq update && apt-get install -y -qq --no-install-recommends chromium >/dev/null'],
      {
        stdio: 'inherit',
      },
    );
  }
  const found = find();
  if (found === undefined) console.error('The part browser needs Chromium: install the package chromium of Debian.');
  return found;
}

/** The directory of the newest PostgreSQL's programs, installed where root runs this on Debian; as `findChromium`. */
function findPostgres(): string | undefined {
  const find = () => globSync('/usr/lib/postgresql/*/bin').sort().at(-1);
  if (find() === undefined && process.getuid?.() === 0) {
    const settings = '/etc/postgresql-common/createcluster.conf';
    const install = [
      // Only the programs: no cluster of the machine's own.
      `mkdir -p /etc/postgresql-common && echo "create_main_cluster = false" >> ${settings}`,
      'apt-get -qq update',
      'apt-get install -y -qq --no-install-recommends postgresql >/dev/null',
    ];
    spawnSync('sh', ['-c', install.join(' && ')], { stdio: 'inherit' });
  }
  const found = find();
  if (found === undefined) console.error('The part databases needs PostgreSQL: install the package postgresql.');
  return found;
}

/** The path of MariaDB's server, installed where root runs this on Debian; as `findChromium`. */
function findMariaDb(): string | undefined {
  const find = () => globSync('/usr/sbin/mariadbd')[0];
  if (find() === undefined && process.getuid?.() === 0) {
    // The programs alone: the package of the service would start one.
    const names = 'mariadb-server-core mariadb-client-core';
    const install = `apt-get -qq update && apt-get install -y -qq --no-install-recommends ${names} >/dev/null`;
    spawnSync('sh', ['-c', install], { stdio: 'inherit' });
  }
  const found = find();
  if (found === undefined) console.error('The part databases needs MariaDB: install mariadb-server-core of Debian.');
  return found;
}

/** The directory of az, from PyPI in the judges' cache; undefined after a message on missing programs. */
function installAzureCli(): string | undefined {
  const directory = join(process.env['AZIMUTH_JUDGES'] ?? join(homedir(), '.cache', 'azimuth-judges'), 'azure-cli');
  const bin = join(directory, 'bin');
  const packages = [`azure-cli==${azureCliVersion}`, 'azure-identity'];
  const quiet = ['install', '-q', '--disable-pip-version-check'];
  const isThere = () =>
    spawnSync(join(bin, 'az'), ['version'], { encoding: 'utf8' }).stdout?.includes(`"azure-cli": "${azureCliVersion}"`);
  if (isThere()) return bin;
  spawnSync('python3', ['-m', 'venv', '--clear', directory], { stdio: 'inherit' });
  spawnSync(join(bin, 'pip'), [...quiet, ...packages], { stdio: 'inherit' });
  if (isThere()) return bin;
  console.error('The part azure-cli needs Python 3.10 or newer with venv, and PyPI.');
  return undefined;
}

function run(script: string, rest: readonly string[], env: Readonly<Record<string, string>>): number {
  return runNode([script, ...rest], env);
}

/** Runs tests of a tier of jest.config.js. */
function runTier(tier: string, args: readonly string[], env: Readonly<Record<string, string>>): number {
  return runNode([...jest, ...args], { ...env, AZIMUTH_TEST_TIER: tier });
}

function runNode(args: readonly string[], env: Readonly<Record<string, string>>): number {
  return spawnSync('node', args, { stdio: 'inherit', env: { ...process.env, ...env } }).status ?? 1;
}

const [name, ...rest] = process.argv.slice(2);
const wanted = name === undefined ? Object.keys(parts) : [name];
for (const part of wanted) {
  const run = parts[part];
  if (!run) console.error(`There is no part ${part}: name one of ${Object.keys(parts).join(', ')}, or none for all.`);
  const status = (await run?.(rest)) ?? 2;
  console.log(`${status === 0 ? 'ok    ' : 'FAILED'} ${part}`);
  if (status !== 0) process.exitCode = status;
}
