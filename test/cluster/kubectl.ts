import { spawnSync } from 'node:child_process';

export interface KubectlResult {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs kubectl against the cluster that KUBECONFIG names. @throws when kubectl is not installed. */
export function tryKubectl(
  args: readonly string[],
  input?: string,
  kubeconfig = process.env['KUBECONFIG'],
): KubectlResult {
  const { status, stdout, stderr, error } = spawnSync('kubectl', args, {
    encoding: 'utf8',
    input,
    env: { ...process.env, KUBECONFIG: kubeconfig },
    maxBuffer: 1 << 28,
  });
  if (error) throw new Error(`These tests need kubectl on the PATH: ${error.message}`);
  return { status: status ?? 1, stdout, stderr };
}

/** Like `tryKubectl`; throws with kubectl's own words when it fails. */
export function kubectl(args: readonly string[], input?: string, kubeconfig?: string): string {
  const { status, stdout, stderr } = tryKubectl(args, input, kubeconfig);
  if (status !== 0) throw new Error(`kubectl ${args.join(' ')} ended with ${status}: ${stderr}`);
  return stdout;
}
