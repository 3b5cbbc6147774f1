import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JournalEntry } from '../../sandbox/azure/journal.ts';
import { type EmbeddedKube, startEmbeddedKube } from '../../sandbox/kube/index.ts';
import { type OperatorProcess, spawnOperator } from '../operator/crashes/child.ts';
import { startWorld, until, type World } from '../operator/support.ts';
import { HeldProxy } from './held-proxy.ts';

const kinds =
  'resources.azure.com/*;managedidentity.azure.com/*;storage.azure.com/StorageAccount;network.azure.com/VirtualNetwork';

/** A moment in the life of an operator: so many requests, or requests that change something, and a while after them. */
export interface Moment {
  readonly count: number;
  readonly of: 'requests' | 'writes';
  readonly ms: number;
}

/** What a kill cut off. */
export interface Cut {
  /** Requests to Azure that change something and had no answer yet. */
  readonly writes: number;
  /** Operations that Azure went on with. */
  readonly operations: number;
}

/** An operator that has started, and works once it is let in. */
export interface HeldOperator extends OperatorProcess {
  letIn(): void;
}

/** An operator that sends nothing for so long has nothing to do. */
const idleMs = 10_000;

export interface FaultyWorldOptions {
  readonly flags?: readonly string[];
  /** Another form of the program, such as its bundle. @default the sources */
  readonly program?: string | undefined;
}

/** A cluster, an Azure and `azimuth operator` as a process, any of which can be taken away. */
export class FaultyWorld implements AsyncDisposable {
  readonly world: World;
  readonly #dir: string;
  readonly #kubeOptions: { readonly dir: string; readonly persistFile: string };
  readonly #flags: readonly string[];
  readonly #program: string | undefined;
  #kube: EmbeddedKube;
  #spawned = 0;
  readonly #programs = new Set<OperatorProcess>();

  private constructor(world: World, dir: string, flags: readonly string[], program: string | undefined) {
    this.#program = program;
    this.world = world;
    this.#dir = dir;
    this.#kubeOptions = { dir, persistFile: join(dir, 'objects') };
    this.#kube = world.kube;
    this.#flags = flags;
  }

  /** `flags` are those of the operator besides the ones that make it quick. */
  static async start({
    program,
    flags = ['--enable-leader-election=false'],
  }: FaultyWorldOptions): Promise<FaultyWorld> {
    const dir = mkdtempSync(join(tmpdir(), 'azimuth-faults-'));
    const world = await startWorld({ kube: { dir, persistFile: join(dir, 'objects') } });
    world.azure.settings.operationMs = 300;
    return new FaultyWorld(world, dir, flags, program);
  }

  /** One more operator. */
  spawn(kubeconfigFile = this.world.kubeconfigFile): OperatorProcess {
    const env = {
      ...this.world.azure.env(),
      KUBECONFIG: kubeconfigFile,
      NODE_COMPILE_CACHE: join(tmpdir(), 'azimuth-faults-compile-cache'),
    };
    const flags = [`--kinds=${kinds}`, '--poll-interval=200ms', '--max-concurrent-reconciles=8', ...this.#flags];
    const program = spawnOperator(env, flags, this.#program);
    this.#programs.add(program);
    void program.ended.then(() => this.#programs.delete(program));
    return program;
  }

  /** One more operator, which loads while others work. */
  async spawnHeld(): Promise<HeldOperator> {
    const file = join(this.#dir, `kubeconfig-${this.#spawned++}`);
    const proxy = await HeldProxy.build(this.world.kube.url, this.world.kubeconfigFile, file);
    const program = this.spawn(file);
    void program.ended.then(() => proxy.close());
    return { ...program, letIn: () => proxy.open() };
  }

  /** Waits for a moment, then kills without a warning. */
  async killAt(program: OperatorProcess, { count, of, ms }: Moment): Promise<Cut> {
    const { journal } = this.world.azure;
    await until('the operator has started', async () => program.output.join('').includes('operator starts'), 60_000);
    const after = journal.entries().at(-1)?.seq ?? 0;
    let met = 0;
    let metAt = Date.now();
    const isThere = async () => {
      const entries = journal.entries({ service: 'arm', after });
      if (entries.length > met) metAt = Date.now();
      met = entries.length;
      const seen = of === 'writes' ? entries.filter(changes).length : met;
      return seen >= count || Date.now() > metAt + idleMs;
    };
    await until('it works', isThere, 120_000);
    await new Promise((resolve) => setTimeout(resolve, ms));
    const writing = () =>
      journal.entries({ service: 'arm', after }).filter((entry) => changes(entry) && !isAnswered(entry)).length;
    const cut = { writes: writing(), operations: this.world.azure.operationsRunning() };
    program.child.kill('SIGKILL');
    await program.ended;
    // Nobody can know of a request that Azure begins with after the next operator has read: it would start too soon.
    await until('Azure is done with the requests of the killed one', async () => writing() === 0);
    return cut;
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

const changes = ({ method }: JournalEntry) => method !== 'GET' && method !== 'HEAD';
const isAnswered = ({ requestId }: JournalEntry) => requestId !== undefined;
