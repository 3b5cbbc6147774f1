/** `azimuth ui --in-cluster` as a process of a pod: it finds the API server as pods do, and has no token. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Scratch } from '../fakes/scratch.ts';

/** CI sets this: there the tests must run, and fail where they cannot. */
export const canMount = process.env['AZIMUTH_NETWORK_TESTS'] === 'required' || process.getuid?.() === 0;

export interface PageProcess {
  readonly url: string;
  readonly child: ChildProcess;
  output(): string;
  /** Largest resident memory since its start; undefined after its end. */
  peakMebibytes(): number | undefined;
}

export interface PageProcessOptions {
  /** URL of the API server. */
  readonly server: string;
  /** Certificate of its authority. */
  readonly ca: string;
  readonly files: Scratch;
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts the page in a mount namespace of its own, with what kubelet mounts for its pod: the certificate alone. */
export async function startPageProcess({ server, ca, files, env = {} }: PageProcessOptions): Promise<PageProcess> {
  const { hostname, port } = new URL(server);
  const certificate = files.write('ca.crt', ca);
  const mounted = '/var/run/secrets/kubernetes.io/serviceaccount';
  const script = `
    mount -t tmpfs tmpfs /run && mkdir -p ${mounted} && cp ${certificate} ${mounted}/ca.crt
    exec "$@"`;
  const program = [process.execPath, 'runtime/cli/azimuth.ts', 'ui', '--in-cluster', '--host=azimuth.example.com'];
  const { PATH = '' } = process.env;
  const child = spawn('unshare', ['--mount', 'sh', '-ec', script, 'sh', ...program], {
    env: { PATH, KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const url = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        const [found] = /http:\/\/127\.0\.0\.1:\d+\//.exec(output) ?? [];
        if (found !== undefined) resolve(found);
      });
    }
    child.once('exit', (code) => reject(new Error(`The page ended with ${code}: ${output}`)));
  });
  const peakMebibytes = () => {
    if (child.exitCode !== null || child.signalCode !== null) return undefined;
    const [, kibibytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? [];
    return kibibytes === undefined ? undefined : Number(kibibytes) / 1024;
  };
  return { url, child, output: () => output, peakMebibytes };
}
