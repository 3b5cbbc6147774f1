import { LRUCache } from 'lru-cache';
import type { ComputeDeploymentSpec } from '../../../api/deployments/compute-deployment.ts';
import { AzimuthError, messageOf } from '../../../base/errors.ts';
import { type GoalOutput, type OutputSource, outputText } from '../../../compute/deployments/goal-outputs.ts';
import type { Answers } from '../../../compute/deployments/open-values.ts';
import { atLocation, type DeploymentProblem } from '../../../compute/deployments/substitute.ts';
import { Budget } from '../../../compute/templates/values/budget.ts';
import { configMapsType, secretsType } from '../../../kube/client/core-types.ts';
import type { KubeClient, KubeObject } from '../../../kube/client/types.ts';
import type { ExportTarget } from '../../export/export-targets.ts';
import { writeExport } from '../../export/secrets-and-config-maps.ts';
import { computedSecret } from '../../references/computed-secret.ts';
import type { ChildAccess } from '../child-access.ts';
import type { DeploymentRun } from '../deployment-run.ts';
import type { Expansions } from '../expansions.ts';
import type { DeploymentObject } from '../runs/runs.ts';
import type { TemplateAnswers } from '../template-answers.ts';
import { outputProblems } from './output-settings.ts';

/** Dependencies of `DeploymentOutputs`. */
export interface DeploymentOutputsDeps {
  readonly client: KubeClient;
  readonly access: Pick<ChildAccess, 'check'>;
  readonly expansions: Pick<Expansions, 'outputs'>;
  readonly answers: Pick<TemplateAnswers, 'read' | 'list'>;
}

/** Milliseconds until outputs are written again after a failure that may pass. */
const retryMs = 30_000;
/** Answers in a row of which each names the next resource. */
const mostRounds = 4;
/** Bytes of the keys and values of a ConfigMap or Secret: the limit of the API server. */
const maxBytes = 1_048_576;
/** Most resources whose answers the outputs of one location need, and most values that these are made of. */
const maxReads = 64;
/** Work of the expressions of one location: some 50 ms, in which nothing else runs. */
const mostSteps = 50_000;

type Target = Pick<ExportTarget, 'target' | 'name' | 'values'>;

/**
 * Writes the outputs of a run that has succeeded into ConfigMaps and Secrets of the deployment's namespace. The template is
 * a tenant's: the deployment's service account needs the right to each write, and to each Secret that an output shows.
 */
export class DeploymentOutputs {
  readonly #deps: DeploymentOutputsDeps;
  /** The run and the generation whose outputs are written, by uid of the deployment. */
  readonly #written = new LRUCache<string, string>({ max: 10_000 });

  constructor(deps: DeploymentOutputsDeps) {
    this.#deps = deps;
  }

  /** Writes the outputs once for each run and each change of the deployment. Resolves to what kept it from that. */
  async write(
    run: DeploymentRun,
    deployment: DeploymentObject,
    signal: AbortSignal,
  ): Promise<readonly DeploymentProblem[]> {
    const { spec, metadata } = deployment;
    const { uid = '', generation } = metadata;
    const version = `${run.recorded.object.metadata.uid} ${generation}`;
    if (!spec.outputs || !run.goal.arm || outputProblems(spec).length > 0 || this.#written.get(uid) === version)
      return [];
    const problems: DeploymentProblem[] = [];
    for (const location of new Set([...run.nodes.values()].map((node) => node.location))) {
      try {
        problems.push(...(await this.#writeLocation(run, deployment, location, signal)));
      } catch (error) {
        if (signal.aborted) throw error;
        const { code = '', retryAfterMs = retryMs } = error instanceof AzimuthError ? error : {};
        // Somebody may delete the object of another owner at any time.
        const again = code === 'AZ_TERMINAL' ? {} : { retryAfterMs };
        problems.push({ path: `spec.outputs of ${location}`, message: messageOf(error), ...again });
      }
    }
    if (problems.length === 0) this.#written.set(uid, version);
    return problems;
  }

  async #writeLocation(
    run: DeploymentRun,
    deployment: DeploymentObject,
    location: string,
    signal: AbortSignal,
  ): Promise<readonly DeploymentProblem[]> {
    const found = await this.#outputs(run, deployment, location, signal);
    if ('problems' in found) return found.problems;
    for (const target of await this.#targets(found.outputs, deployment, location, signal)) {
      checkSize(target);
      await this.#checkWrite(target, deployment, signal);
      await writeExport(
        { ...target, labels: {}, annotations: {} },
        { client: this.#deps.client, owner: deployment, signal },
      );
    }
    return [];
  }

  async #outputs({ goal }: DeploymentRun, deployment: DeploymentObject, location: string, signal: AbortSignal) {
    const { expansions, answers } = this.#deps;
    const { namespace = '', name } = deployment.metadata;
    let known: Answers = {};
    for (let round = 0; round < mostRounds; round++) {
      const place = { namespace, deployment: name, location };
      const { outputs, needed, problems } = await expansions.outputs(goal, place, known, signal);
      if (problems.length > 0) return { problems };
      if (needed.length === 0) return { outputs };
      if (needed.length > maxReads) throw tooMany('answers of Azure');
      known = { ...known, ...(await answers.read(deployment, needed, signal)) };
    }
    const message = 'the answers of Azure are not those that the outputs need';
    return { problems: [{ path: `outputs of ${location}`, message }] };
  }

  async #targets(
    outputs: readonly GoalOutput[],
    deployment: DeploymentObject,
    location: string,
    signal: AbortSignal,
  ): Promise<Target[]> {
    const { configMap, secret } = deployment.spec.outputs as NonNullable<ComputeDeploymentSpec['outputs']>;
    const targets: Target[] = [];
    if (configMap) {
      const plain = outputs.flatMap((each) => ('text' in each ? [[each.name, each.text]] : []));
      const name = atLocation(configMap.name, location);
      targets.push({ target: 'ConfigMap', name, values: Object.fromEntries(plain) });
    }
    if (secret) {
      const budget = new Budget(mostSteps, maxBytes);
      const values: [string, string][] = [];
      const read = new Map<string, unknown>();
      for (const each of outputs) {
        if ('text' in each) continue;
        const sources: unknown[] = [];
        for (const source of each.sources) {
          const key = JSON.stringify(source);
          if (!read.has(key) && read.size === maxReads) throw tooMany('values of Secrets and of Azure');
          if (!read.has(key)) read.set(key, await this.#read(source, deployment, signal));
          sources.push(read.get(key));
        }
        const value = computedSecret(each.expression, sources, { budget, where: `the output ${each.name}` });
        values.push([each.name, outputText(value)]);
      }
      const name = atLocation(secret.name, location);
      targets.push({ target: 'Secret', name, values: Object.fromEntries(values) });
    }
    return targets;
  }

  async #read(source: OutputSource, deployment: KubeObject, signal: AbortSignal): Promise<unknown> {
    const { client, access, answers } = this.#deps;
    if ('value' in source) return source.value;
    if ('list' in source) return await answers.list(deployment, source, signal);
    const { name, key } = source.secret;
    await access.check(deployment, { verb: 'get', type: secretsType, name }, signal);
    const { namespace = '' } = deployment.metadata;
    const data = ((await client.tryGet(secretsType, { namespace, name }, signal))?.['data'] ?? {}) as object;
    const value: unknown = Object.entries(data).find(([each]) => each === key)?.[1];
    if (typeof value === 'string') return Buffer.from(value, 'base64').toString('utf8');
    throw new AzimuthError('AZ_REFERENCE_MISSING', `The Secret ${name} has no key ${key}`, { retryAfterMs: retryMs });
  }

  async #checkWrite({ target, name, values }: Target, deployment: KubeObject, signal: AbortSignal): Promise<void> {
    const { client, access } = this.#deps;
    const type = target === 'Secret' ? secretsType : configMapsType;
    const { namespace = '' } = deployment.metadata;
    const existing = await client.tryGet(type, { namespace, name }, signal);
    if (!existing && Object.keys(values).length === 0) return;
    await access.check(deployment, { verb: existing ? 'patch' : 'create', type, name }, signal);
  }
}

const tooMany = (what: string) =>
  new AzimuthError('AZ_TERMINAL', `The outputs are made of more than ${maxReads} ${what}: leave some out`);

function checkSize({ target, name, values }: Target): void {
  const bytes = Object.entries(values).reduce((sum, [key, value]) => sum + key.length + Buffer.byteLength(value), 0);
  if (bytes < maxBytes) return;
  const message = `The outputs for the ${target} ${name} have ${bytes} bytes, and the API server takes less than ${maxBytes}: shorten them, or leave some out of the template`;
  throw new AzimuthError('AZ_TERMINAL', message);
}
