import { annotations } from '../../../arm-kinds/names.ts';
import { type Clock, systemClock } from '../../../base/clock.ts';
import { AzimuthError } from '../../../base/errors.ts';
import { jsonHash } from '../../../base/json.ts';
import type { ExpansionPlace } from '../../../compute/deployments/expand-goal.ts';
import type { Answers, NeededAnswer } from '../../../compute/deployments/open-values.ts';
import type { Decision } from '../../../compute/deployments/rounds/expand-round.ts';
import {
  answersMessage,
  roundLimits,
  roundsMessage,
  tooManyMessage,
} from '../../../compute/deployments/rounds/round-limits.ts';
import type { DeploymentProblem } from '../../../compute/deployments/substitute.ts';
import { isReadyAsIs, readyCondition } from '../../objects/conditions.ts';
import { type Children, keyParts, type Refusal } from '../children.ts';
import type { DeploymentRun } from '../deployment-run.ts';
import { againIn, type Expansions, type GoalText } from '../expansions.ts';
import { sentence } from '../run-status.ts';
import { conditionsOf } from '../runs/child-readiness.ts';
import type { DecidedAnswer, DecidedLocation, RunRecord } from '../runs/run-records.ts';
import type { DeploymentObject, RecordedRun, Runs } from '../runs/runs.ts';
import type { TemplateAnswers } from '../template-answers.ts';

/** Dependencies of `TemplateRounds`. */
export interface TemplateRoundsDeps {
  readonly answers: Pick<TemplateAnswers, 'read'>;
  readonly expansions: Pick<Expansions, 'readParts'>;
  readonly children: Pick<Children, 'get'>;
  readonly runs: Pick<Runs, 'record'>;
  readonly clock?: Pick<Clock, 'monotonic'>;
}

/** The result of reading answers again. */
export interface AnswersAgain {
  /** Whether one decides otherwise now: the run in memory is out of date then. */
  readonly isOther: boolean;
  /** Of the answers that are no use, by location. */
  readonly problems: readonly DeploymentProblem[];
}

const none: DecidedLocation = { rounds: 0, answers: [] };
/** Bytes of the answers of a run, as JSON: they stand in an annotation, and an object takes 256 KiB of these. */
const maxBytes = 65_536;

/** Milliseconds until answers that could not be read again, or are no use, are read once more. */
const againMs = 30_000;

/** The answers of a goal's locations, for their expansion. */
export function decidedAnswers({ decided }: Pick<RunRecord, 'decided'>): GoalText['decided'] {
  const entries = Object.entries(decided ?? {});
  return entries.length > 0 ? Object.fromEntries(entries.map(([name, each]) => [name, answersOf(each)])) : undefined;
}

/**
 * Reads the answers of Azure that decide names and counts of a template, and keeps them in the record of the run. The
 * reads are those of `TemplateAnswers`, so that a deployment gets what its service account may have, without secrets.
 */
export class TemplateRounds {
  readonly #deps: TemplateRoundsDeps;
  readonly #clock: Pick<Clock, 'monotonic'>;
  /** Problems of answers that stay as they were, by deployment and location, until they are read once more. */
  readonly #stale = new Map<string, { readonly problem: DeploymentProblem; readonly until: number }>();

  constructor(deps: TemplateRoundsDeps) {
    this.#deps = deps;
    this.#clock = deps.clock ?? systemClock;
  }

  /**
   * Decides about the next round of a location. A Refusal where the answers are no use; rejects as `TemplateAnswers.read`.
   * The run in memory is out of date after that.
   */
  async decide(
    run: DeploymentRun,
    deployment: DeploymentObject,
    { location, needed }: { readonly location: string } & Pick<Decision, 'needed'>,
    signal: AbortSignal,
  ): Promise<Refusal | undefined> {
    const { rounds, answers } = run.decided.get(location) ?? none;
    const all = [...answers, ...needed];
    const tooMany = rounds >= roundLimits.rounds ? roundsMessage : answersMessage(all.length);
    if (tooMany !== undefined) return invalid(tooMany);
    const read = await this.#read({ goal: run.goal, deployment, location }, all, signal);
    if ('reason' in read) return read;
    const next = new Map(run.decided).set(location, { rounds: rounds + 1, answers: read.answers });
    const tooLong = tooLongIn(next);
    if (tooLong) return tooLong;
    // Other locations are decided at the same time: their records have each other's answers.
    const former = run.decided.get(location) ?? none;
    run.decided.set(location, next.get(location) ?? none);
    try {
      const record = { ...run.recorded.record, decided: Object.fromEntries(run.decided) };
      await this.#deps.runs.record(deployment, run.recorded.object, record, signal);
    } catch (error) {
      run.decided.set(location, former);
      throw error;
    }
    run.isOutOfDate = true;
    return undefined;
  }

  /**
   * Reads answers again whose objects have another state than when they decided. An answer that cannot be read, or is no
   * use, stays the one that it was; the location is a problem then, and is read once more after 30 s.
   */
  async readAgain(
    goal: GoalText,
    deployment: DeploymentObject,
    { object, record }: RecordedRun,
    signal: AbortSignal,
  ): Promise<AnswersAgain> {
    const problems: DeploymentProblem[] = [];
    const decided = new Map(Object.entries(record.decided ?? {}));
    let isChanged = false;
    let isOther = false;
    for (const [location, before] of decided) {
      const states = before.answers.map(({ key }) => this.#stateOf(deployment, key));
      if (states.every((state, index) => state === undefined || state === before.answers[index]?.state)) continue;
      const path = `template.arm.json in ${location}`;
      const id = `${deployment.metadata.uid}/${location}`;
      const stale = this.#stale.get(id);
      if (stale && stale.until > this.#clock.monotonic()) {
        problems.push(stale.problem);
        continue;
      }
      const read = await this.#read({ goal, deployment, location }, before.answers, signal).catch((error: unknown) => {
        if (signal.aborted || !(error instanceof AzimuthError)) throw error;
        return { ...invalid(error.message), retryAfterMs: againMs };
      });
      // Each round had an answer at least. Those whose answers have gone are decided again, and count then.
      const next =
        'reason' in read ? before : { rounds: Math.min(before.rounds, read.answers.length), answers: read.answers };
      const refusal = 'reason' in read ? read : tooLongIn(new Map(decided).set(location, next));
      if (refusal) {
        const { message, retryAfterMs } = { retryAfterMs: undefined, ...refusal };
        const problem = { path, message, ...(retryAfterMs !== undefined && { retryAfterMs }) };
        problems.push(problem);
        this.#keepStale(id, problem);
        continue;
      }
      this.#stale.delete(id);
      isChanged = true;
      isOther ||= jsonHash(answersOf(next)) !== jsonHash(answersOf(before));
      decided.set(location, next);
    }
    const next = { ...record, decided: Object.fromEntries(decided) };
    if (isChanged) await this.#deps.runs.record(deployment, object, next, signal);
    return { isOther, problems };
  }

  #keepStale(id: string, problem: DeploymentProblem): void {
    const now = this.#clock.monotonic();
    for (const [key, { until }] of this.#stale) if (until <= now) this.#stale.delete(key);
    this.#stale.set(id, { problem, until: now + againMs });
  }

  async #read(
    { goal, deployment, location }: { goal: GoalText; deployment: DeploymentObject; location: string },
    needed: readonly NeededAnswer[],
    signal: AbortSignal,
  ): Promise<Pick<DecidedLocation, 'answers'> | Refusal> {
    const { answers, expansions } = this.#deps;
    const { namespace = '', name } = deployment.metadata;
    const place: ExpansionPlace = { namespace, deployment: name, location };
    // The state before the answer: a change between the two is seen later.
    const states = needed.map(({ key }) => this.#stateOf(deployment, key) ?? '');
    const whole = await answers.read(deployment, needed, signal);
    const { parts, problems } = await expansions.readParts(goal, place, whole, signal);
    const retryAfterMs = againIn(problems);
    if (retryAfterMs !== undefined) throw new AzimuthError('AZ_BUDGET_SPENT', sentence(problems), { retryAfterMs });
    if (problems.length > 0) return { reason: 'AnswerInvalid', message: sentence(problems) };
    // An answer that nothing reads any more may be about a resource that goes: it could not be read again.
    const kept = needed.flatMap(({ id, key, apiVersion }, index): DecidedAnswer[] => {
      const part = parts[id];
      return part ? [{ id, key, apiVersion, resource: part.resource ?? {}, state: states[index] ?? '' }] : [];
    });
    return { answers: kept };
  }

  /** Hash of what each write to Azure changes of an object of the deployment; undefined while it is not Ready. */
  #stateOf({ metadata }: DeploymentObject, key: string): string | undefined {
    // Nobody sees a change of a resource outside of the template: a new run reads it again.
    if (key === '') return '';
    const { group, kind, name } = keyParts(key);
    const { namespace = '', uid = '' } = metadata;
    const object = this.#deps.children.get({ namespace, name }, { group, kind }, uid);
    if (!object || !isReadyAsIs(object)) return undefined;
    const { uid: own, generation, annotations: all = {} } = object.metadata;
    const since = readyCondition(conditionsOf(object))?.lastTransitionTime;
    return jsonHash({ uid: own, generation, since, writes: [all[annotations.acquired], all[annotations.applied]] });
  }
}

const answersOf = ({ answers }: Pick<DecidedLocation, 'answers'>): Answers =>
  Object.fromEntries(answers.map(({ id, resource }) => [id, { resource }]));

/** A Refusal where the record of a run has no room for its answers. */
function tooLongIn(decided: ReadonlyMap<string, DecidedLocation>): Refusal | undefined {
  const bytes = Buffer.byteLength(JSON.stringify(Object.fromEntries(decided)));
  return bytes > maxBytes ? invalid(tooManyMessage(`answers with ${bytes} of at most ${maxBytes} bytes`)) : undefined;
}

const invalid = (message: string): Refusal => ({ reason: 'AnswerInvalid', message });
