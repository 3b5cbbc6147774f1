import { spawn, spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** A Kubernetes of this machine's own, with a node that runs real pods: etcd, the five programs, containerd. */
export interface NodeCluster {
  /** Variables for its tests: KUBECONFIG, and KUBE_RUN with `flexvolume/`, kubelet's plugin directory. */
  readonly env: Readonly<Record<string, string>>;
  /** Ends it and removes the rest of it: processes, mounts, bridge, chains. */
  stop(): Promise<void>;
}

/** Where the scripts are that start and stop it. */
export const kubeScripts = resolve(process.env['AZIMUTH_KUBE'] || 'tools/clusters/kube');
const cache = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'azimuth-kube');
const binaries = process.env['KUBE_BIN'] || join(cache, 'bin');
/** The programs of Kubernetes that a cluster with a node is made of. */
export const programs = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kubelet', 'kube-proxy'];
const hostPrograms = ['etcd', 'containerd', 'ctr', 'runc', 'kubectl', 'iptables', 'openssl', 'curl', 'gcc', 'python3'];
const startLimitMs = 300_000;

/** Why this machine cannot have one, in one sentence with the fix; undefined where it can. */
export function nodeProblem(): string | undefined {
  if (process.platform !== 'linux') return 'pods need Linux';
  if (process.getuid?.() !== 0) return 'a kubelet needs root';
  if (!existsSync(join(kubeScripts, 'start-node.sh'))) {
    return `there are no scripts in ${kubeScripts} to start a node with; AZIMUTH_KUBE names another place`;
  }
  const missing = programs.filter((program) => !runs(join(binaries, program)));
  if (missing.length > 0) return `${missing.join(', ')} are not in ${binaries}; ${kubeScripts}/build.sh builds them`;
  const absent = hostPrograms.filter((program) => spawnSync('which', [program]).status !== 0);
  if (absent.length > 0)
    return `${absent.join(', ')} are missing; ${kubeScripts}/install-packages.sh node installs them`;
  if (!mounts('tmpfs', 'tmpfs', [])) return 'root may not mount here';
  if (existsSync('/sys/class/net/kcni0')) return 'a node runs on this machine already, and there can be one at a time';
  return undefined;
}

/** Starts one at 10.250.0.1 (KUBE_ADDR), port 27443 (KUBE_PORT), within five minutes. */
export async function startNodeCluster(): Promise<NodeCluster> {
  const run = mkdtempSync(join(tmpdir(), 'azimuth-node-'));
  const { KUBE_ADDR = '10.250.0.1', KUBE_PORT = '27443' } = process.env;
  const env: Record<string, string> = {
    KUBE_ADDR,
    KUBE_PORT,
    KUBE_RUN: run,
    KUBE_BIN: binaries,
    KUBECONFIG: join(run, 'admin.kubeconfig'),
    // An overlay cannot lie on another one, and the root of a container is one.
    KUBE_SNAPSHOTTER: process.env['KUBE_SNAPSHOTTER'] || (overlays(run) ? 'overlayfs' : 'native'),
  };
  const stop = async () => {
    await script('stop.sh', ['--wipe'], env).catch(() => undefined);
    rmSync(run, { recursive: true, force: true });
  };
  try {
    await script('start.sh', [], env);
    await script('start-node.sh', [], env);
  } catch (error) {
    await stop();
    throw error;
  }
  return { env, stop };
}

function script(name: string, args: readonly string[], env: Readonly<Record<string, string>>): Promise<void> {
  return new Promise((done, fail) => {
    // Its output is for people; processes it starts must not hold our streams open.
    const child = spawn(join(kubeScripts, name), args, {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'ignore', 'inherit'],
      timeout: startLimitMs,
    });
    child.once('error', fail);
    child.once('exit', (code) => (code === 0 ? done() : fail(new Error(`${name} ended with ${code}`))));
  });
}

function runs(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function overlays(base: string): boolean {
  const [lower, upper, work] = ['lower', 'upper', 'work'].map(() => mkdtempSync(join(base, 'overlay-')));
  return mounts('overlay', 'overlay', ['-o', `lowerdir=${lower},upperdir=${upper},workdir=${work}`]);
}

function mounts(type: string, source: string, options: readonly string[]): boolean {
  const directory = mkdtempSync(join(tmpdir(), 'azimuth-mount-'));
  const mounted = spawnSync('mount', ['-t', type, ...options, source, directory]).status === 0;
  if (mounted) spawnSync('umount', [directory]);
  rmSync(directory, { recursive: true, force: true });
  return mounted;
}
