import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedKube, startEmbeddedKube } from '../../runtime/sandbox/kube/index.ts';
import { type OperatorProcess, spawnOperator } from '../operator/child.ts';
import { startWorld, until, type World } from '../operator/support.ts';

const kinds = 'resources.azure.com/*;managedidentity.azure.com/*;storage.azure.com/StorageAccount';

/** A moment in the life of an operator. */
export interface Moment {
  readonly requests: number;
  readonly ms: number;
}

/** An operator that sends nothing for so long has nothing to do. */
const idleMs = 5000;

/** A cluster, an Azure and `azimuth operator` as a process, any of which can be taken away. */
export class FaultyWorld implements AsyncDisposable {
  readonly world: World;
  readonly #dir: string;
  readonly #kubeOptions: { readonly dir: string; readonly persistFile: string };
  readonly #flags: readonly string[];
  #kube: EmbeddedKube;
  readonly #programs = new Set<OperatorProcess>();

  private constructor(world: World, dir: string, flags: readonly string[]) {
    this.world = world;
    this.#dir = dir;
    this.#kubeOptions = { dir, persistFile: join(dir, 'objects') };
    this.#kube = world.kube;
    this.#flags = flags;
  }

  /** `flags` are those of the operator besides the ones that make it quick. */
  static async start(flags: readonly string[] = ['--enable-leader-election=false']): Promise<FaultyWorld> {
    const dir = mkdtempSync(join(tmpdir(), 'azimuth-faults-'));
    const world = await startWorld({ kube: { dir, persistFile: join(dir, 'objects') } });
    world.azure.settings.operationMs = 300;
    return new FaultyWorld(world, dir, flags);
  }

  /** One more operator. */
  spawn(): OperatorProcess {
    const env = {
      ...this.world.azure.env(),
      KUBECONFIG: this.world.kubeconfigFile,
      NODE_COMPILE_CACHE: join(tmpdir(), 'azimuth-faults-compile-cache'),
    };
    const flags = [`--kinds=${kinds}`, '--poll-interval=200ms', '--max-concurrent-reconciles=8', ...this.#flags];
    const program = spawnOperator(env, flags);
    this.#programs.add(program);
    void program.ended.then(() => this.#programs.delete(program));
    return program;
  }

  /** Waits until Azure saw so many requests more, and the milliseconds given, then kills without a warning. */
  async killAfter(program: OperatorProcess, { requests, ms }: Moment): Promise<void> {
    const { journal } = this.world.azure;
    const seen = () => journal.entries({ service: 'arm' }).at(-1)?.seq ?? 0;
    await until('the operator has started', async () => program.output.join('').includes('operator starts'), 60_000);
    const begun = seen();
    const idle = Date.now() + idleMs;
    await until('it works', async () => seen() >= begun + requests || Date.now() > idle, 60_000);
    await new Promise((resolve) => setTimeout(resolve, ms));
    program.child.kill('SIGKILL');
    await program.ended;
  }

  /** Takes the API server away for a while; it comes back with what it had. */
  async restartKube(awayMs: number): Promise<void> {
    const port = Number(new URL(this.world.kube.url).port);
    await this.#kube.close();
    await new Promise((resolve) => setTimeout(resolve, awayMs));
    this.#kube = await startEmbeddedKube({ ...this.#kubeOptions, port });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { child, ended } of this.#programs) {
      child.kill('SIGKILL');
      await ended;
    }
    await this.world.close();
    if (this.#kube !== this.world.kube) await this.#kube.close();
    rmSync(this.#dir, { recursive: true, force: true });
  }
}
