import { join } from 'node:path';
import { bundle } from '../../../tools/bundle.ts';
import { builtOnce } from '../../fakes/built-once.ts';
import type { World } from '../support.ts';
import { Gate, type OperatorProcess, spawnOperator } from './child.ts';

const flags = ['--enable-leader-election=false', '--poll-interval=50ms'];

/**
 * The operator as a process that is killed and restarted; a gate before the API server decides when. It runs the bundle
 * of the image, which starts in a fifth of the time of the sources.
 */
export class RestartableOperator {
  readonly gate: Gate;
  /** How often `kill` ended a process. */
  kills = 0;
  #program: OperatorProcess;
  readonly #programs: OperatorProcess[] = [];
  #closing = false;
  readonly #spawn: () => OperatorProcess;

  private constructor(gate: Gate, spawn: () => OperatorProcess) {
    this.gate = gate;
    this.#spawn = () => {
      const program = spawn();
      this.#programs.push(program);
      return program;
    };
    this.#program = this.#spawn();
    gate.kill = () => void this.kill();
  }

  /** Starts the operator on the world's API server and Azure; `more` are further flags. */
  static async start(world: World, ...more: readonly string[]): Promise<RestartableOperator> {
    const directory = await builtOnce('image', bundle);
    const gate = await Gate.open(world.kube, world.kube.adminToken);
    const env = { ...world.azure.env(), KUBECONFIG: gate.kubeconfigFile, AZIMUTH_INSTANCES_READ_PERIOD: '1s' };
    return new RestartableOperator(gate, () =>
      spawnOperator(env, [...flags, `--kinds=${world.kindPattern}`, ...more], join(directory, 'azimuth.mjs')),
    );
  }

  /** The last output of the current process. */
  get lastOutput(): string {
    return this.#program.output.slice(-5).join('');
  }

  /** All output of all processes. */
  get output(): string {
    return this.#programs.flatMap(({ output }) => output).join('');
  }

  /** Kills the process and starts the next, after `between`; resolves when that is started. */
  async kill(between?: () => void): Promise<void> {
    this.kills += 1;
    const killed = this.#program;
    killed.child.kill('SIGKILL');
    await killed.ended;
    between?.();
    if (this.#program === killed && !this.#closing) this.#program = this.#spawn();
  }

  /** Asks the process to stop, starts the next, and resolves with how the first one ended. */
  async replace(): Promise<Awaited<OperatorProcess['ended']>> {
    const stopped = this.#program;
    stopped.child.kill('SIGTERM');
    const end = await stopped.ended;
    this.#program = this.#spawn();
    return end;
  }

  async close(): Promise<void> {
    this.#closing = true;
    this.#program.child.kill('SIGKILL');
    await this.#program.ended;
    await this.gate.close();
  }
}
