import { shorterTemplate } from '../../api/deployments/compute-deployment.ts';
import { maxGoalLength } from '../../api/deployments/compute-run.ts';
import { AzimuthError } from '../../base/errors.ts';
import { SharedLru } from '../../base/fairness/shared-lru.ts';
import { jsonHash } from '../../base/json.ts';
import { asksForDeployer, withDeployer } from '../../compute/deployments/goal.ts';
import { strategyProblems } from '../../compute/deployments/strategy.ts';
import type { DeploymentProblem } from '../../compute/deployments/substitute.ts';
import type { Runtime } from '../../kube/cache/types.ts';
import type { Children } from './children.ts';
import type { ExpansionAnswer } from './expansion-program.ts';
import { type Expansions, goalTextOf } from './expansions.ts';
import { outputProblems } from './outputs/output-settings.ts';
import { type CheckedNode, maxNodes, nodeProblems } from './rounds/node-problems.ts';
import { finalStates } from './run-status.ts';
import type { RunStore } from './run-store.ts';
import type { RunReason } from './runs/run-records.ts';
import type { DeploymentObject, RecordedRun, RunObject, Runs } from './runs/runs.ts';
import { unmanageProblems } from './runs/unmanage.ts';
import type { Deployers } from './sources/deployers.ts';
import type { GoalSources } from './sources/goal-sources.ts';

/** Dependencies of the choice of the present run. */
export interface CurrentRunDeps {
  readonly runtime: Runtime;
  readonly runs: Runs;
  readonly store: RunStore;
  readonly expansions: Expansions;
  readonly children: Children;
  readonly sources: Pick<GoalSources, 'read'>;
  readonly deployers: Pick<Deployers, 'of'>;
}

/** The present run, and the problems of a goal that has no run because of them. */
export interface CurrentRun {
  readonly recorded: RecordedRun | undefined;
  readonly problems: readonly DeploymentProblem[];
}

/** A goal; its text is dropped once a run has it, and where others need the memory. */
interface KnownGoal {
  /** Generation of the deployment, and version of the sources of its templates. */
  readonly version: string;
  readonly hash: string;
}

/** Requests for runs that are taken in one reconcile run. */
const requestsAtOnce = 10;

/** Characters of goals without a run in memory, of all namespaces: each may have a megabyte. */
const mostGoalCharacters = 8_000_000;

/** Milliseconds after which a deployment checks again whether the resource group of its ARM template is there. */
const groupMs = 5000;

/** Runs that are kept when the deployment does not say. */
const defaultHistory = 5;

/** Chooses the present run of a deployment: the newest one, after a new goal, a retry, a request or a rollback has made its own. */
export class CurrentRuns {
  readonly #deps: CurrentRunDeps;
  /** The goal of each deployment by uid, as of a generation: computing it takes time, and its time must stay the same. */
  readonly #goals = new Map<string, KnownGoal>();
  readonly #texts = new SharedLru<string>(mostGoalCharacters);

  constructor(deps: CurrentRunDeps) {
    this.#deps = deps;
  }

  /** The present run. Makes one where the deployment asks for it and its goal is right. */
  async find(deployment: DeploymentObject, signal: AbortSignal): Promise<CurrentRun> {
    const { runs } = this.#deps;
    const goal = await this.#goalOf(deployment, false, signal);
    if ('problem' in goal) return { recorded: runs.of(deployment)[0], problems: [goal.problem] };
    const { hash } = goal;
    const trigger = jsonHash({ hash, retry: deployment.spec.retry ?? '' });
    const requests = runs.requested(deployment).slice(0, requestsAtOnce);
    for (const request of requests) await this.#take(deployment, request, trigger, signal);
    const [recorded] = runs.of(deployment);
    if (recorded?.record.trigger === trigger) {
      this.#texts.delete(deployment.metadata.uid ?? '');
      return { recorded, problems: settingProblems(deployment.spec) };
    }
    const whole = await this.#wholeGoal(deployment, signal);
    const text = 'problem' in whole ? '' : whole.text;
    const problems = 'problem' in whole ? [whole.problem] : await this.#check(deployment, text, signal);
    if (problems.length > 0) return { recorded, problems };
    const reason = recorded && recorded.record.goalHash === hash ? 'Retry' : 'GoalChanged';
    const spec = { goal: text };
    return { recorded: await this.#make(deployment, spec, { reason, goalHash: hash, trigger }, signal), problems: [] };
  }

  /** Drops the goal of the deployment with this uid, which is gone. */
  forget(uid: string): void {
    this.#goals.delete(uid);
    this.#texts.delete(uid);
  }

  /** Makes a run of the last goal that succeeded, if the strategy wants that and there is one. */
  async rollBack(deployment: DeploymentObject, failed: RecordedRun, signal: AbortSignal): Promise<boolean> {
    if (deployment.spec.strategy?.onFailure !== 'Rollback' || failed.record.reason === 'Rollback') return false;
    const last = this.#deps.runs
      .of(deployment)
      .find(({ object, record }) => object.status?.state === 'Succeeded' && record.goalHash !== failed.record.goalHash);
    if (!last) return false;
    const { trigger } = failed.record;
    const source = last.record.goalOf ?? last.object.metadata.name;
    const record = { reason: 'Rollback', goalHash: last.record.goalHash, trigger, goalOf: source } as const;
    await this.#make(deployment, { goalOf: source }, record, signal);
    return true;
  }

  /** Deletes old runs beyond the limit. Keeps the present one, the last that succeeded, and those whose goals they use. */
  async removeOld(deployment: DeploymentObject, signal: AbortSignal): Promise<void> {
    const { runs } = this.#deps;
    const all = runs.of(deployment);
    const succeeded = all.find(({ object }) => object.status?.state === 'Succeeded');
    const kept = all.slice(0, 1 + (deployment.spec.historyLimit ?? defaultHistory));
    if (succeeded && !kept.includes(succeeded)) kept.push(succeeded);
    const sources = new Set(kept.flatMap(({ record }) => record.goalOf ?? []));
    const old = all.filter((run) => !kept.includes(run) && !sources.has(run.object.metadata.name));
    for (const run of old) await runs.delete(run, signal);
  }

  /** Takes a run that somebody asks for, or refuses it. */
  async #take(deployment: DeploymentObject, request: RunObject, trigger: string, signal: AbortSignal): Promise<void> {
    const { runs, store } = this.#deps;
    const all = runs.of(deployment);
    const source = all.find(({ object }) => object.metadata.name === request.spec.goalOf);
    if (!source || request.spec.goal !== undefined) {
      const message = `spec.goalOf names no run of ${deployment.metadata.name}: write one of ${all
        .map(({ object }) => object.metadata.name)
        .slice(0, 10)
        .join(', ')}`;
      await store.writeStatus(request, { state: 'Refused', message }, signal);
      return;
    }
    const goalOf = source.record.goalOf ?? source.object.metadata.name;
    const number = (all[0]?.record.number ?? 0) + 1;
    await runs.record(
      deployment,
      request,
      { number, reason: 'Requested', goalHash: source.record.goalHash, trigger, goalOf },
      signal,
    );
    await this.#supersede(all, signal);
  }

  async #make(
    deployment: DeploymentObject,
    spec: { readonly goal: string } | { readonly goalOf: string },
    record: {
      readonly reason: RunReason;
      readonly goalHash: string;
      readonly trigger: string;
      readonly goalOf?: string;
    },
    signal: AbortSignal,
  ): Promise<RecordedRun> {
    const all = this.#deps.runs.of(deployment);
    const number = (all[0]?.record.number ?? 0) + 1;
    const made = await this.#deps.runs.create(deployment, spec, { ...record, number }, signal);
    await this.#supersede(all, signal);
    return made;
  }

  /** Ends the runs that a new one takes over from. */
  async #supersede(all: readonly RecordedRun[], signal: AbortSignal): Promise<void> {
    const { runtime, store } = this.#deps;
    for (const each of all) {
      const { object } = each;
      if (finalStates.has(object.status?.state)) continue;
      const endedAt = new Date(runtime.clock.now()).toISOString();
      await store.writeStatus(
        object,
        { ...object.status, state: 'Superseded', message: 'a newer run took over', endedAt },
        signal,
      );
      await store.endLocations(each, 'Superseded', signal);
    }
  }

  /** The text of the goal, with the deployer of now. */
  async #wholeGoal(
    deployment: DeploymentObject,
    signal: AbortSignal,
  ): Promise<{ readonly text: string } | { readonly problem: DeploymentProblem }> {
    const goal = await this.#goalOf(deployment, true, signal);
    if ('problem' in goal) return goal;
    const { text = '' } = goal;
    if (!deployment.spec.template.arm || !asksForDeployer(text)) return { text };
    const deployer = await this.#deps.deployers.of(deployment, signal);
    return 'problem' in deployer ? deployer : { text: withDeployer(text, deployer) };
  }

  /** The goal of this generation; `withText`: it must have its text. */
  async #goalOf(
    deployment: DeploymentObject,
    withText: boolean,
    signal: AbortSignal,
  ): Promise<(KnownGoal & { readonly text: string | undefined }) | { readonly problem: DeploymentProblem }> {
    const { runtime, expansions, sources } = this.#deps;
    const { uid = '', namespace = '', generation } = deployment.metadata;
    const read = await sources.read(deployment, signal);
    const version = `${generation} ${read.version}`;
    const known = this.#goals.get(uid);
    const former = this.#texts.get(uid);
    if (known && known.version === version && (former !== undefined || !withText)) return { ...known, text: former };
    const source = { spec: deployment.spec, whole: read.spec };
    const found = await expansions.goal(namespace, source, runtime.clock.now(), signal);
    if ('message' in found) return { problem: found };
    const text = known?.hash === found.hash ? (former ?? found.text) : found.text;
    const goal = { version, hash: found.hash };
    this.#goals.set(uid, goal);
    this.#texts.set(uid, text, namespace, text.length);
    return { ...goal, text };
  }

  async #check(deployment: DeploymentObject, text: string, signal: AbortSignal): Promise<readonly DeploymentProblem[]> {
    const { expansions, children } = this.#deps;
    const { namespace = '', name } = deployment.metadata;
    if (text.length > maxGoalLength)
      return [
        {
          path: 'spec',
          message: `the goal has ${text.length} of at most ${maxGoalLength} characters, in which quotes and line breaks of a template count twice: ${shorterTemplate}`,
        },
      ];
    const problems = [...settingProblems(deployment.spec), ...strategyProblems(deployment.spec)];
    const nodes: CheckedNode[] = [];
    const goal = goalTextOf(text, deployment.spec.template.arm);
    for (const { name: location } of deployment.spec.locations) {
      const place = { namespace, deployment: name, location };
      const expanded = await expansions.expand(goal, place, signal).catch(missing);
      problems.push(...expanded.problems);
      const hasOutputs = deployment.spec.outputs && expanded.problems.length === 0;
      if (hasOutputs) problems.push(...(await expansions.outputs(goal, place, {}, signal)).problems);
      for (const { key, kind, group } of expanded.nodes) nodes.push({ key, location, kind, group });
      if (problems.length >= 20 || nodes.length > maxNodes) break;
    }
    return [...problems, ...nodeProblems(nodes, children)];
  }
}

/** Problems of settings that are no part of the goal. */
function settingProblems(spec: DeploymentObject['spec']): DeploymentProblem[] {
  return [...unmanageProblems(spec), ...outputProblems(spec, spec.locations.length)];
}

/** A resource group that is not there yet is a problem of the template; the deployment is reconciled again when it is. */
function missing(error: unknown): ExpansionAnswer {
  if (!(error instanceof AzimuthError) || error.code !== 'AZ_REFERENCE_MISSING') throw error;
  return { nodes: [], problems: [{ path: 'template.arm.owner', message: error.message, retryAfterMs: groupMs }] };
}
