import { setImmediate as nextTurn } from 'node:timers/promises';
import { annotations } from '../../arm-kinds/names.ts';
import { sameResourceId } from '../../azure/arm/resource-ids.ts';
import { AzimuthError } from '../../base/errors.ts';
import type { ExpansionPlace } from '../../compute/deployments/expand-goal.ts';
import type { Answers } from '../../compute/deployments/open-values.ts';
import { isRoundKey } from '../../compute/deployments/rounds/round-node.ts';
import type { DeploymentProblem } from '../../compute/deployments/substitute.ts';
import type { GraphEffect, GraphStep } from '../../engine/graph/index.ts';
import type { Runtime } from '../../kube/cache/types.ts';
import { isUnserved, KubeStatusError } from '../../kube/client/status-error.ts';
import type { KubeObject } from '../../kube/client/types.ts';
import type { ObjectIndex } from '../objects/object-index.ts';
import { type Children, keyParts, type Refusal } from './children.ts';
import { type DeploymentRun, keysByLocation } from './deployment-run.ts';
import type { ExpandedNode } from './expansion-program.ts';
import type { Expansions } from './expansions.ts';
import type { TemplateRounds } from './rounds/template-rounds.ts';
import type { RunStore } from './run-store.ts';
import { noteOf } from './runs/error-note.ts';
import type { DeploymentObject } from './runs/runs.ts';
import type { TemplateAnswers } from './template-answers.ts';

/** Dependencies of a driver. */
export interface RunDriverDeps {
  readonly runtime: Runtime;
  readonly children: Children;
  readonly expansions: Expansions;
  readonly store: RunStore;
  readonly answers: Pick<TemplateAnswers, 'read'>;
  readonly rounds: Pick<TemplateRounds, 'decide'>;
  /** The objects of the operator, authenticated. */
  readonly objects: Pick<ObjectIndex, 'get'>;
}

/** Milliseconds until an object whose write failed for a while is written again. */
const retryMs = 5000;
/** Milliseconds until the detached object has gone. */
const detachMs = 1000;
/** Answers in a row of which each names the next resource. */
const mostRounds = 4;
/** Objects that are written at the same time. */
const writesAtATime = 8;
/** Answers of the API server that the same request gets again. */
const finalStatuses: ReadonlySet<number> = new Set([400, 403, 405, 413, 415, 422]);

/** Performs the decisions of a run's graph: applies and deletes objects, and reports the results. */
export class RunDriver {
  readonly #deps: RunDriverDeps;

  constructor(deps: RunDriverDeps) {
    this.#deps = deps;
  }

  /**
   * Goes as far as the objects allow now. Records are stored before the effects that they announce. Returns when the graph
   * has to be asked again. Throws where the progress cannot be stored: the run in memory is of no use then.
   */
  async drive(run: DeploymentRun, deployment: DeploymentObject, signal: AbortSignal): Promise<number | undefined> {
    const { clock } = this.#deps.runtime;
    const deleted = [...run.graph.records.values()].filter(({ action }) => action === 'Delete');
    await this.#deps.children.catchUp(
      deleted.map(({ key }) => keyParts(key)),
      signal,
    );
    this.#observe(run, deployment);
    let step: GraphStep;
    do {
      step = run.graph.next(clock.now());
      await this.persist(run, step.records.keys(), signal);
      const left = [...step.effects];
      const work = async () => {
        for (let effect = left.pop(); effect; effect = left.pop()) await this.#perform(run, deployment, effect, signal);
      };
      await Promise.all(Array.from({ length: writesAtATime }, work));
    } while (step.effects.length > 0);
    return step.askAt;
  }

  /** Stores the blocks of the locations that have these objects. */
  async persist(run: DeploymentRun, changed: Iterable<string>, signal: AbortSignal): Promise<void> {
    const locations = new Set([...changed].map(run.locationOf));
    if (!run.isStored || locations.size === 0) return;
    const keys = keysByLocation(run);
    const writes = [...locations].map(async (location) => {
      // The blocks of all locations may be megabytes.
      await nextTurn();
      await this.#deps.store.writeLocation(run, location, keys.get(location) ?? [], signal);
    });
    await Promise.all(writes);
  }

  #observe(run: DeploymentRun, deployment: KubeObject): void {
    const { children, runtime } = this.#deps;
    const { namespace = '', uid = '' } = deployment.metadata;
    const now = runtime.clock.now();
    for (const [key, record] of [...run.graph.records]) {
      const { group, kind, name } = keyParts(key);
      const objectKey = { namespace, name };
      if (record.action === 'Delete') {
        const object = children.get(objectKey, { group, kind }, uid);
        const ownerGoes = record.after.some((each) => run.graph.records.has(each) && !run.nodes.has(each));
        const isOver = !object || (ownerGoes && children.goesWithOwner(object));
        if (record.state === 'Running' && isOver) run.graph.ended(key, { outcome: 'Succeeded' }, now);
        else if (record.state === 'Running')
          run.notes.set(key, { reason: 'Deleting', message: children.messageOf(object) });
        continue;
      }
      if (record.state !== 'Running' && record.state !== 'Succeeded') continue;
      const note = run.notes.get(key) ?? { reason: '', message: '' };
      const found = children.observe(objectKey, { group, kind }, record.hash, uid, note, now);
      if (!('reason' in found)) {
        if (record.state === 'Succeeded') run.graph.lost(key, found.state !== 'Changed');
        else if (note.appliedAt !== undefined) run.graph.ended(key, { outcome: 'Retry' }, now);
        continue;
      }
      if (record.state === 'Succeeded') continue;
      const isSeen = note.isSeen === true || found.isSeen;
      const { reason, message } = found;
      const isLate = found.state === 'Progressing' && record.at + run.strategy.progressDeadlineMs <= now;
      const late = `not Ready after ${Math.round(run.strategy.progressDeadlineMs / 60_000)} minutes: ${message || reason}`;
      run.notes.set(
        key,
        isLate
          ? { ...note, isSeen, reason: 'ProgressDeadlineExceeded', message: late }
          : { ...note, isSeen, reason, message },
      );
      if (found.state === 'Ready') run.graph.ended(key, { outcome: 'Succeeded' }, now);
      else if (found.state === 'Failed' || isLate) run.graph.ended(key, { outcome: 'Failed' }, now);
    }
  }

  async #perform(
    run: DeploymentRun,
    deployment: DeploymentObject,
    effect: GraphEffect,
    signal: AbortSignal,
  ): Promise<void> {
    const { clock } = this.#deps.runtime;
    const { key, action } = effect;
    try {
      if (action === 'Delete') await this.#delete(run, deployment, key, signal);
      else await this.#apply(run, deployment, effect, signal);
    } catch (error) {
      if (signal.aborted) throw error;
      const isRefused = error instanceof KubeStatusError && (finalStatuses.has(error.status) || isUnserved(error));
      const code = error instanceof AzimuthError ? error.code : undefined;
      // A deletion waits for its right: the object would be left otherwise.
      const isFinal = isRefused || code === 'AZ_TERMINAL' || (code === 'AZ_ACCESS_DENIED' && action !== 'Delete');
      run.notes.set(key, { ...run.notes.get(key), ...noteOf(error) });
      const now = clock.now();
      const wait = error instanceof AzimuthError ? (error.retryAfterMs ?? retryMs) : retryMs;
      run.graph.ended(key, isFinal ? { outcome: 'Failed' } : { outcome: 'Retry', at: now + wait }, now);
    }
  }

  async #delete(run: DeploymentRun, deployment: KubeObject, key: string, signal: AbortSignal): Promise<void> {
    const { children, runtime } = this.#deps;
    const { namespace = '', uid = '' } = deployment.metadata;
    const { group, kind, name } = keyParts(key);
    await children.catchUp([{ group, kind }], signal);
    const object = children.get({ namespace, name }, { group, kind }, uid);
    if (!object) run.graph.ended(key, { outcome: 'Succeeded' }, runtime.clock.now());
    else if (object.metadata.deletionTimestamp === undefined)
      await children.deletion.remove(object, deployment, signal);
  }

  async #apply(
    run: DeploymentRun,
    deployment: DeploymentObject,
    effect: GraphEffect,
    signal: AbortSignal,
  ): Promise<void> {
    const { children, expansions, runtime } = this.#deps;
    const { namespace = '', name } = deployment.metadata;
    const { key } = effect;
    const ended = (outcome: 'Failed' | 'Retry') => run.graph.ended(key, { outcome }, runtime.clock.now());
    const location = run.nodes.get(key)?.location;
    // An effect of an earlier goal, which a former process had started: this goal has another one.
    if (!effect.node || location === undefined) {
      ended('Retry');
      return;
    }
    if (isRoundKey(key)) {
      const { needed = [] } = run.decisions.get(location) ?? {};
      const refusal = await this.#deps.rounds.decide(run, deployment, { location, needed }, signal);
      if (refusal) run.notes.set(key, refusal);
      if (refusal) ended('Failed');
      return;
    }
    const place = { namespace, deployment: name, location };
    const expanded = await expansions.expand(run.goal, place, signal);
    const found = expanded.nodes.find((each) => each.key === key);
    if (!found) throw new Error(`The goal has ${key} no more`);
    const node = found.answers ? await this.#complete(run, deployment, { node: found, place }, signal) : found;
    if (!('manifestText' in node)) {
      run.notes.set(key, node);
      ended('Failed');
      return;
    }
    await this.#detachFormer(run, deployment, found, signal);
    const applied = await children.apply(node, deployment, run.recorded.object.metadata.name, signal);
    const appliedAt = runtime.clock.now();
    if ('generation' in applied) {
      run.notes.set(key, { reason: '', message: '', generation: applied.generation, appliedAt });
    } else {
      run.notes.set(key, applied);
      ended('Failed');
    }
  }

  /**
   * Detaches objects that the goal has no more and whose resource the node takes over: a changed body can get another
   * kind or name (ADR 0037), and two objects cannot have one resource. Throws AZ_CONFLICT_OWNED until they are gone.
   */
  async #detachFormer(run: DeploymentRun, deployment: KubeObject, { key, armId }: ExpandedNode, signal: AbortSignal) {
    const { children, objects } = this.#deps;
    const { namespace = '', uid = '' } = deployment.metadata;
    if (armId === undefined) return;
    const formers = [...run.graph.records.keys()].filter((each) => !run.nodes.has(each));
    await children.catchUp(formers.map(keyParts), signal);
    for (const former of formers) {
      const { group, kind, name } = keyParts(former);
      const object = children.get({ namespace, name }, { group, kind }, uid);
      const recorded = object && objects.get(group, kind, { namespace, name })?.metadata.annotations;
      if (!object || !sameResourceId(recorded?.[annotations.resourceId] ?? '', armId)) continue;
      await children.deletion.detach(object, deployment, signal);
      const message = `waits until ${former}, which has the resource of ${key} in Azure, is detached from it`;
      throw new AzimuthError('AZ_CONFLICT_OWNED', message, { retryAfterMs: detachMs });
    }
  }

  /**
   * The node with Azure's answers in its manifest, under the hash of the goal's node: an answer that changes later is no
   * change of the goal. A Refusal where the answers do not fit.
   */
  async #complete(
    { goal }: DeploymentRun,
    deployment: KubeObject,
    { node, place }: { readonly node: ExpandedNode; readonly place: ExpansionPlace },
    signal: AbortSignal,
  ): Promise<ExpandedNode | Refusal> {
    const { expansions, answers } = this.#deps;
    let known: Answers = {};
    let needed = node.answers;
    let problems: readonly DeploymentProblem[] = [];
    // An answer may name the next resource whose answer the body needs.
    for (let round = 0; needed && round < mostRounds; round++) {
      known = { ...known, ...(await answers.read(deployment, needed, signal)) };
      const expanded = await expansions.expandWith(goal, place, known, signal);
      const found = expanded.nodes.find((each) => each.key === node.key);
      if (found && !found.answers) return { ...found, hash: node.hash };
      problems = expanded.problems;
      needed = found?.answers?.filter(({ id }) => known[id] === undefined);
    }
    const [problem] = problems;
    if (problem?.retryAfterMs !== undefined)
      throw new AzimuthError('AZ_BUDGET_SPENT', problem.message, { retryAfterMs: problem.retryAfterMs });
    const message = problem
      ? `${problem.path}: ${problem.message}`
      : 'the answers of Azure are not those that it needs';
    return { reason: 'AnswerInvalid', message };
  }
}
