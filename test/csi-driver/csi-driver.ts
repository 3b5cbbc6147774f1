import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Client, credentials, loadPackageDefinition, type ServiceError } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { freePort } from '../../runtime/cli/demo/programs/free-port.ts';
import { eventually } from '../fakes/eventually.ts';

/** What kubelet tells the driver of a volume. */
export interface PublishedVolume {
  readonly targetPath: string;
  /** Attributes of the volume and of its pod. */
  readonly context: Readonly<Record<string, string>>;
  /** The Secret of nodePublishSecretRef. */
  readonly secrets: Readonly<Record<string, string>>;
}

/** What the driver is started with. */
export interface CsiDriverOptions {
  /** The driver's executable. */
  readonly program: string;
  readonly directory: string;
  /** A kubeconfig, as text. */
  readonly kubeconfig: string;
  /** Directory of the providers' sockets. */
  readonly providers: string;
}

// biome-ignore lint/suspicious/noExplicitAny: made at run time from the .proto file
type Made = any;

/** The Secrets Store CSI driver as a process, and kubelet's client of it. */
export class CsiDriver implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #client: Made;
  #output = '';

  private constructor(child: ChildProcess, socket: string) {
    this.#child = child;
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (part: Buffer) => {
        this.#output += part.toString();
      });
    const definition = loadSync(join(import.meta.dirname, 'csi.proto'), { keepCase: true });
    const made: Made = loadPackageDefinition(definition);
    const Service = made.csi.v1.Node as new (...args: unknown[]) => Client;
    this.#client = new Service(`unix:${socket}`, credentials.createInsecure());
  }

  static async start({ program, directory, kubeconfig, providers }: CsiDriverOptions): Promise<CsiDriver> {
    const socket = join(directory, 'csi.sock');
    const file = join(directory, 'csi.kubeconfig');
    writeFileSync(file, kubeconfig, { mode: 0o600 });
    const rotation = ['--enable-secret-rotation', '--rotation-poll-interval=1ms'];
    const args = [`--endpoint=unix://${socket}`, '--nodeid=n1', `--provider-volume=${providers}`, ...rotation];
    const child = spawn(program, [...args, `--metrics-addr=127.0.0.1:${await freePort()}`], {
      env: { PATH: process.env['PATH'], KUBECONFIG: file },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const driver = new CsiDriver(child, socket);
    await eventually('the driver listens', () => {
      if (child.exitCode !== null) throw new Error(`the driver ended with ${child.exitCode}: ${driver.output}`);
      return existsSync(socket);
    });
    return driver;
  }

  /** What it wrote. */
  get output(): string {
    return this.#output;
  }

  /** NodePublishVolume. Rejects with gRPC's ServiceError. */
  publish({ targetPath, context, secrets }: PublishedVolume): Promise<void> {
    return this.#call('NodePublishVolume', {
      volume_id: targetPath,
      target_path: targetPath,
      volume_capability: { mount: {}, access_mode: { mode: 1 } },
      readonly: true,
      secrets,
      volume_context: context,
    });
  }

  /** NodeUnpublishVolume. */
  unpublish(targetPath: string): Promise<void> {
    return this.#call('NodeUnpublishVolume', { volume_id: targetPath, target_path: targetPath });
  }

  #call(method: string, request: object): Promise<void> {
    const deadline = Date.now() + 60_000;
    return new Promise((resolve, reject) => {
      this.#client[method](request, { deadline }, (error: ServiceError | null) => (error ? reject(error) : resolve()));
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#client.close();
    if (this.#child.exitCode !== null) return;
    this.#child.kill('SIGKILL');
    await once(this.#child, 'exit');
  }
}
