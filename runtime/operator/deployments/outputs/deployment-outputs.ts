import type { ComputeDeploymentSpec } from '../../../api/deployments/compute-deployment.ts';
import type { Clock } from '../../../base/clock.ts';
import { AzimuthError, messageOf } from '../../../base/errors.ts';
import type { TimeCredit } from '../../../base/isolation/time-credit.ts';
import { type GoalOutput, outputText } from '../../../compute/deployments/goal-outputs.ts';
import { atLocation, type DeploymentProblem } from '../../../compute/deployments/substitute.ts';
import { Budget } from '../../../compute/templates/values/budget.ts';
import type { KubeObject } from '../../../kube/client/types.ts';
import { jittered } from '../../effects/failures.ts';
import type { ExportTarget } from '../../export/export-targets.ts';
import { writeExport } from '../../export/secrets-and-config-maps.ts';
import { computedSecret } from '../../references/computed-secret.ts';
import type { DeploymentRun } from '../deployment-run.ts';
import type { Expansions } from '../expansions.ts';
import type { DeploymentObject } from '../runs/runs.ts';
import { areWritten, marksOf, type OutputTarget, typeOf } from './output-marks.ts';
import { noteFailure, noteSuccess, OutputProgress, pendingProblems } from './output-progress.ts';
import { OutputReads, type OutputReadsDeps } from './output-reads.ts';
import { outputProblems } from './output-settings.ts';

/** Dependencies of `DeploymentOutputs`. */
export interface DeploymentOutputsDeps extends OutputReadsDeps {
  readonly expansions: Pick<Expansions, 'outputs'>;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Milliseconds after which written outputs are read again, less up to a quarter; undefined for never. */
  readonly resyncMs: number | undefined;
}

/** What became of the outputs of a run. */
export interface OutputsResult {
  /** What kept the operator from writing them. */
  readonly problems: readonly DeploymentProblem[];
  /** Milliseconds until written outputs are read again; undefined for never. */
  readonly againMs?: number;
}

/** Milliseconds until outputs are written again after a failure that may pass. */
const retryMs = 30_000;
/** Answers in a row of which each names the next resource. */
const mostRounds = 4;
/** Bytes of the keys and values of a ConfigMap or Secret: the limit of the API server. */
const maxBytes = 1_048_576;
/** Work of the expressions of one location: some 50 ms, in which nothing else runs. */
const mostSteps = 50_000;

type Target = Pick<ExportTarget, 'target' | 'name' | 'values'>;

interface OutputPlace {
  readonly location: string;
  /** The run and the generation of the deployment. */
  readonly version: string;
  /** Takes milliseconds from the credit of the namespace. */
  readonly spend: (ms: number) => void;
}

/**
 * Writes the outputs of a run that has succeeded into ConfigMaps and Secrets of the deployment's namespace. The template is
 * a tenant's: the deployment's service account needs the right to each write, and to each Secret that an output shows.
 */
export class DeploymentOutputs {
  readonly #deps: DeploymentOutputsDeps;
  readonly #progress = new OutputProgress();

  constructor(deps: DeploymentOutputsDeps) {
    this.#deps = deps;
  }

  /**
   * Writes the outputs of each location for each run and each change of the deployment, and again at each resync, since
   * Azure may answer otherwise then. After a restart what is written waits for a part of the resync period. A location that
   * failed waits for its time, and all of a namespace for its credit of computing time.
   */
  async write(
    run: DeploymentRun,
    deployment: DeploymentObject,
    credit: Pick<TimeCredit, 'waitMs' | 'spend'>,
    signal: AbortSignal,
  ): Promise<OutputsResult> {
    const { spec, metadata } = deployment;
    if (!spec.outputs || !run.goal.arm) return { problems: [] };
    const locations = new Set([...run.nodes.values()].map((node) => node.location));
    const refused = outputProblems(spec, locations.size);
    if (refused.length > 0) return { problems: refused };
    const { namespace = '', uid = '', generation } = metadata;
    const { clock } = this.#deps;
    const version = `${run.recorded.object.metadata.uid} ${generation}`;
    const progress = this.#progress.of(uid, version);
    const problems: DeploymentProblem[] = [];
    for (const location of locations) {
      if ((progress.written.get(location) ?? 0) > clock.monotonic()) continue;
      const pending = pendingProblems(progress, location, clock.monotonic());
      if (pending) {
        problems.push(...pending);
        continue;
      }
      const spend = (ms: number) => credit.spend(namespace, ms);
      const place = { location, version: `${version} ${location}`, spend };
      const isNew = !progress.written.has(location) && !progress.failed.has(location);
      if (isNew && (await this.#areWritten(deployment, place, signal))) {
        progress.written.set(location, this.#againAt(Math.random()));
        continue;
      }
      const waitMs = credit.waitMs(namespace);
      if (waitMs > 0) {
        const message = 'the deployments of the namespace have used their share of computing time';
        problems.push({ path: `spec.outputs of ${location}`, message, retryAfterMs: waitMs });
        break;
      }
      const found = await this.#tryLocation(run, deployment, place, signal);
      if (found.length === 0) noteSuccess(progress, location, this.#againAt(1));
      else noteFailure(progress, location, found, clock.monotonic());
      problems.push(...found);
    }
    const next = Math.min(...progress.written.values());
    return { problems, ...(Number.isFinite(next) && { againMs: Math.max(1, next - clock.monotonic()) }) };
  }

  /** When outputs are read again after this part of the resync period. */
  #againAt(part: number): number {
    const { clock, resyncMs } = this.#deps;
    return resyncMs === undefined ? Number.POSITIVE_INFINITY : clock.monotonic() + part * jittered(resyncMs);
  }

  async #areWritten(owner: DeploymentObject, { location, version }: OutputPlace, signal: AbortSignal) {
    const { configMap, secret } = owner.spec.outputs ?? {};
    const targets: OutputTarget[] = [];
    if (configMap) targets.push({ target: 'ConfigMap', name: atLocation(configMap.name, location) });
    if (secret) targets.push({ target: 'Secret', name: atLocation(secret.name, location) });
    // A write meets the same failure, and reports it.
    return await areWritten(version, targets, { client: this.#deps.client, owner, signal }).catch(() => false);
  }

  async #tryLocation(run: DeploymentRun, deployment: DeploymentObject, place: OutputPlace, signal: AbortSignal) {
    try {
      return await this.#writeLocation(run, deployment, place, signal);
    } catch (error) {
      if (signal.aborted) throw error;
      const { code = '', retryAfterMs = retryMs } = error instanceof AzimuthError ? error : {};
      // Somebody may delete the object of another owner at any time.
      const again = code === 'AZ_TERMINAL' ? {} : { retryAfterMs };
      return [{ path: `spec.outputs of ${place.location}`, message: messageOf(error), ...again }];
    }
  }

  async #writeLocation(
    run: DeploymentRun,
    deployment: DeploymentObject,
    place: OutputPlace,
    signal: AbortSignal,
  ): Promise<readonly DeploymentProblem[]> {
    const reads = new OutputReads(this.#deps, deployment, signal);
    const found = await this.#outputs(run, deployment, { location: place.location, reads }, signal);
    if ('problems' in found) return found.problems;
    const targets = await this.#targets(found.outputs, deployment, place, reads);
    const withValues = targets.filter(({ values }) => Object.keys(values).length > 0);
    const annotations = marksOf(place.version, withValues);
    for (const target of targets) {
      checkSize(target);
      await this.#checkWrite(target, deployment, signal);
      await writeExport(
        { ...target, labels: {}, annotations },
        { client: this.#deps.client, owner: deployment, signal },
      );
    }
    return [];
  }

  async #outputs(
    { goal }: DeploymentRun,
    { metadata }: DeploymentObject,
    { location, reads }: { readonly location: string; readonly reads: OutputReads },
    signal: AbortSignal,
  ) {
    const place = { namespace: metadata.namespace ?? '', deployment: metadata.name, location };
    for (let round = 0; round < mostRounds; round++) {
      const { outputs, needed, problems } = await this.#deps.expansions.outputs(goal, place, reads.answers, signal);
      if (problems.length > 0) return { problems };
      if (needed.length === 0) return { outputs };
      await reads.readAnswers(needed);
    }
    const message = 'the answers of Azure are not those that the outputs need';
    return { problems: [{ path: `outputs of ${location}`, message }] };
  }

  async #targets(
    outputs: readonly GoalOutput[],
    { spec }: DeploymentObject,
    { location, spend }: OutputPlace,
    reads: OutputReads,
  ): Promise<Target[]> {
    const { configMap, secret } = spec.outputs as NonNullable<ComputeDeploymentSpec['outputs']>;
    const targets: Target[] = [];
    if (configMap) {
      const plain = outputs.flatMap((each) => ('text' in each ? [[each.name, each.text]] : []));
      const name = atLocation(configMap.name, location);
      targets.push({ target: 'ConfigMap', name, values: Object.fromEntries(plain) });
    }
    if (secret) {
      const budget = new Budget(mostSteps, maxBytes);
      const values: [string, string][] = [];
      for (const each of outputs) {
        if ('text' in each) continue;
        const sources: unknown[] = [];
        for (const source of each.sources) sources.push(await reads.value(source));
        const started = this.#deps.clock.monotonic();
        try {
          const value = computedSecret(each.expression, sources, { budget, where: `the output ${each.name}` });
          values.push([each.name, outputText(value)]);
        } finally {
          spend(this.#deps.clock.monotonic() - started);
        }
      }
      const name = atLocation(secret.name, location);
      targets.push({ target: 'Secret', name, values: Object.fromEntries(values) });
    }
    return targets;
  }

  async #checkWrite({ target, name, values }: Target, deployment: KubeObject, signal: AbortSignal): Promise<void> {
    const { client, access } = this.#deps;
    const type = typeOf({ target, name });
    const { namespace = '' } = deployment.metadata;
    const existing = await client.tryGet(type, { namespace, name }, signal);
    if (!existing && Object.keys(values).length === 0) return;
    await access.check(deployment, { verb: existing ? 'patch' : 'create', type, name }, signal);
  }
}

function checkSize({ target, name, values }: Target): void {
  const bytes = Object.entries(values).reduce((sum, [key, value]) => sum + key.length + Buffer.byteLength(value), 0);
  if (bytes < maxBytes) return;
  const message = `The outputs for the ${target} ${name} have ${bytes} bytes, and the API server takes less than ${maxBytes}: shorten them, or leave some out of the template`;
  throw new AzimuthError('AZ_TERMINAL', message);
}
