import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

export interface KubectlResult {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs kubectl against the cluster that KUBECONFIG names; this process goes on serving. @throws when there is no kubectl */
export async function tryKubectl(args: readonly string[], input = ''): Promise<KubectlResult> {
  const child = spawn('kubectl', args, { stdio: 'pipe' });
  const failed = once(child, 'error').then(([error]) => {
    throw new Error(`These tests need kubectl on the PATH: ${error.message}`);
  });
  child.stdin.on('error', () => undefined).end(input);
  const ended = Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)]);
  const [[status], stdout, stderr] = await Promise.race([ended, failed]);
  return { status: status ?? 1, stdout, stderr };
}

/** Like `tryKubectl`; throws with kubectl's own words when it fails. */
export async function kubectl(args: readonly string[], input?: string): Promise<string> {
  const { status, stdout, stderr } = await tryKubectl(args, input);
  if (status !== 0) throw new Error(`kubectl ${args.join(' ')} ended with ${status}: ${stderr}`);
  return stdout;
}

/**
 * Takes away what the manifests of a folder made, and waits until the definitions are gone, so that the next test does not
 * meet them going. Namespaces stay: an API server without a controller manager would keep them terminating for ever.
 */
export async function takeAway(manifests: string): Promise<void> {
  const ours = ['--ignore-not-found', '-l', 'app.kubernetes.io/name=azimuth'];
  await kubectl(['delete', '--wait=false', '-f', manifests, ...ours]);
  await kubectl(['delete', 'crd', '--timeout=300s', ...ours]);
}

/** Waits for the definitions of a synthesis, and for no others: those of the test file before may be going. */
export async function definitionsEstablished(manifests: string): Promise<void> {
  const file = join(manifests, '0000-azimuth-crds.k8s.yaml');
  await kubectl(['wait', '--for=condition=Established', '--timeout=300s', '-f', file]);
}
