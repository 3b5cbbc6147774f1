import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultMebibytes, memoryVariables, nodeOptions } from '../../../constructs/private/node-options.ts';
import type { EmbeddedAzure } from '../../../sandbox/azure/embedded-azure.ts';
import { bundle } from '../../../tools/bundle.ts';

/** Resident memory in MB. */
export interface Resident {
  readonly rss: number;
  /** Of it, what the process does not share with others: heap, stacks, buffers. */
  readonly anonymous: number;
  /** Of it, pages of files: the Node binary and libraries, which processes of a node have in common. */
  readonly file: number;
  /** RSS at its most since the last `memory`. */
  readonly peak: number;
}

/** The sum of a metric over all its labels, or over those that contain `label`. */
export type MetricSum = (name: string, label?: string) => number;

export interface OperatorProcess {
  /** Waits until it was ready and without work for ten seconds. Resync reads, of 5,000 resources some 2 a second, are none. */
  rest(): Promise<void>;
  /** Its metrics at this moment. Dear: hundreds of kilobytes, which the operator puts together each time. */
  metrics(): Promise<MetricSum>;
  memory(): Resident;
  /** Seconds of processor time, user and system, since it began. */
  cpuSeconds(): number;
  /** Bytes of its page of metrics. */
  metricsBytes(): Promise<number>;
  stop(): Promise<void>;
}

export interface OperatorProcessOptions {
  /** For the bundle and the authority of `azure`. */
  readonly directory: string;
  readonly kubeconfig: string;
  readonly azure: EmbeddedAzure;
}

/** Reconcile runs between two readings that may be resync reads. */
const mostResyncs = 20;
const restMs = 10_000;
/** Milliseconds between two readings of the operator: so rare that they cost little. */
export const pollMs = 2500;

/** Makes the bundle of the image, and gives the way to run its operator with the flags and variables of the manifests. */
export async function operatorImage({ directory, kubeconfig, azure }: OperatorProcessOptions) {
  await bundle(join(directory, 'image'));
  const authority = join(directory, 'azure.pem');
  writeFileSync(authority, azure.caPem);
  const env = {
    PATH: process.env['PATH'] ?? '',
    ...azure.env(),
    NODE_ENV: 'production',
    NODE_OPTIONS: nodeOptions(defaultMebibytes),
    ...memoryVariables,
    NODE_EXTRA_CA_CERTS: authority,
    KUBECONFIG: kubeconfig,
  };
  const program = join(directory, 'image', 'azimuth.mjs');
  // A machine that is busy with all of this at once may be late with a renewal.
  const longLease = ['--lease-duration=5m', '--renew-deadline=4m'];
  const health = ['--health-port=0', '--health-address=127.0.0.1'];
  const argv = [program, 'operator', '--namespace=default', ...health, ...longLease];
  return (): Promise<OperatorProcess> => startOperator(argv, env);
}

async function startOperator(argv: readonly string[], env: Record<string, string>): Promise<OperatorProcess> {
  const child = spawn(process.execPath, argv, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const end = () => void child.kill('SIGKILL');
  process.once('exit', end);
  let output = '';
  const port = await new Promise<number>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`The operator ended with ${code}: ${output.slice(-2000)}`)));
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-20_000);
      const found = /"healthPort":(\d+)/.exec(output)?.[1];
      if (found) resolve(Number(found));
    });
  });
  const file = (name: string) => `/proc/${child.pid}/${name}`;
  const text = async (path: string) => {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`The operator ended: ${output.slice(-2000)}`);
    // A connection of its own: one that was kept may end at the moment it is used again.
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { connection: 'close' } });
    return answer.text();
  };
  const metrics = async (): Promise<MetricSum> => {
    const page = await text('/metrics');
    return (name, label = '') => {
      const lines = page.matchAll(new RegExp(`^${name}(\\{.*\\})? (\\S+)$`, 'gm'));
      return [...lines].reduce((sum, [, labels = '', value]) => sum + (labels.includes(label) ? Number(value) : 0), 0);
    };
  };
  return {
    metrics,
    async rest() {
      for (let quietSince = Date.now(), last = Number.NEGATIVE_INFINITY; Date.now() - quietSince < restMs; ) {
        await new Promise((resolve) => setTimeout(resolve, pollMs));
        const ready = (await text('/readyz')).endsWith('\nok\n');
        const sum = await metrics();
        const done = sum('controller_runtime_reconcile_total');
        const working = sum('workqueue_depth') + sum('controller_runtime_active_workers');
        if (done - last > mostResyncs || working > 0 || !ready) quietSince = Date.now();
        last = done;
      }
    },
    memory() {
      const status = readFileSync(file('status'), 'utf8');
      const field = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]) / 1024;
      // Begins a new peak, proc(5).
      writeFileSync(file('clear_refs'), '5');
      return { rss: field('VmRSS'), anonymous: field('RssAnon'), file: field('RssFile'), peak: field('VmHWM') };
    },
    cpuSeconds() {
      // proc(5): utime and stime are the 14th and 15th field, in hundredths of a second. The name may have blanks.
      const fields = readFileSync(file('stat'), 'utf8').split(') ')[1]?.split(' ') ?? [];
      return (Number(fields[11]) + Number(fields[12])) / 100;
    },
    metricsBytes: async () => Buffer.byteLength(await text('/metrics')),
    async stop() {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await gone;
      process.off('exit', end);
    },
  };
}
