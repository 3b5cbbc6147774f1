import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { ComputeDeploymentSpec } from '../../api/deployments/compute-deployment.ts';
import { type Clock, systemClock } from '../../base/clock.ts';
import { AzimuthError } from '../../base/errors.ts';
import { SharedLru } from '../../base/fairness/shared-lru.ts';
import { IsolatedProcess, noProcessor } from '../../base/isolation/isolated-process.ts';
import { TimeCredit } from '../../base/isolation/time-credit.ts';
import { isDeeperThan, jsonHash } from '../../base/json.ts';
import { moduleFile } from '../../base/process/module-file.ts';
import type { TargetGroup } from '../../compute/deployments/arm-objects.ts';
import type { ExpansionPlace } from '../../compute/deployments/expand-goal.ts';
import type { Goal } from '../../compute/deployments/goal.ts';
import type { GoalOutputs } from '../../compute/deployments/goal-outputs.ts';
import type { Answers } from '../../compute/deployments/open-values.ts';
import type { DeploymentProblem } from '../../compute/deployments/substitute.ts';
import type {
  ExpansionAnswer,
  ExpansionJob,
  GoalAnswer,
  Job,
  JobAnswer,
  ReadPartsAnswer,
} from './expansion-program.ts';

/** Milliseconds that the expansion of one location may take. */
const maxMs = 4000;
/** Limit of the heap of the process in MiB; docs/reference/memory.md has the measured use. */
export const expansionHeapMebibytes = 96;
/** Milliseconds until a goal that was above a limit is computed again: another time the machine may be faster. */
const againMs = 600_000;
/** Bytes of the expanded locations in memory, of all namespaces. */
const mostKnownBytes = 48 * 1024 * 1024;
const program = fileURLToPath(moduleFile(import.meta.url, './expansion-program.ts'));

/** The text of a goal, and its ARM template if it has one. */
export interface GoalText {
  readonly text: string;
  readonly arm: Goal['template']['arm'];
  /** SHA-256 of the text. */
  readonly digest: string;
  /** Azure's answers that decide names and counts, by location. @default none */
  readonly decided?: Readonly<Record<string, Answers>>;
}

/** Finds the resource group of a location. Throws AZ_REFERENCE_MISSING while it has no id. */
export type GroupOf = (
  namespace: string,
  location: string,
  owner: NonNullable<GoalText['arm']>['owner'],
) => TargetGroup;

/** The goal with this text and this ARM template. */
export function goalTextOf(text: string, arm: GoalText['arm'], decided?: GoalText['decided']): GoalText {
  const digest = createHash('sha256').update(text).digest('base64');
  return { text, arm, digest, ...(decided && { decided }) };
}

/** The spec of a deployment, from which its goal is made. */
export interface GoalSource {
  readonly spec: ComputeDeploymentSpec;
  /** Reads the spec with the texts of its linked templates, or why one cannot be read. */
  readonly whole: () => Promise<ComputeDeploymentSpec | { readonly problem: DeploymentProblem }>;
}

/** Dependencies of `Expansions`. */
export interface ExpansionsDeps {
  readonly groups: GroupOf;
  readonly clock?: Clock;
  /** Where the goals are expanded. @default a process of their own */
  readonly process?: Pick<ExpansionProcess, 'run' | 'close'>;
}

/** The process that expands goals. */
export type ExpansionProcess = IsolatedProcess<Job, JobAnswer>;

/** An expanded location, and when it is no longer of use: milliseconds of the monotonic clock. */
interface Known {
  readonly expanded: ExpansionAnswer;
  readonly until: number;
}

/**
 * Expands goals in a separate process, which ends when a location takes too much time or memory. Namespaces are served in
 * turn; one that has used up its time waits until it has some again. Results are kept for a while.
 */
export class Expansions {
  readonly #credit: TimeCredit;
  readonly #process: Pick<ExpansionProcess, 'run' | 'close'>;
  readonly #known = new SharedLru<Known>(mostKnownBytes);
  readonly #groups: GroupOf;
  readonly #clock: Clock;

  constructor({ groups, clock = systemClock, process }: ExpansionsDeps) {
    this.#groups = groups;
    this.#clock = clock;
    this.#credit = new TimeCredit(clock);
    const limits = { maxMs, heapMebibytes: expansionHeapMebibytes, jobBytes: 96 * 1024 * 1024 };
    this.#process = process ?? new IsolatedProcess({ program, ...limits });
  }

  /**
   * One location of a goal, whose text is that of its run. Rejects with AZ_BUDGET_SPENT when the namespace has to wait, and
   * with AZ_REFERENCE_MISSING while the resource group of an ARM template has no id. AZ_ISOLATION: there is no process.
   */
  async expand(goal: GoalText, place: ExpansionPlace, signal: AbortSignal): Promise<ExpansionAnswer> {
    const { namespace, deployment, location } = place;
    const job = this.#jobOf(goal, place);
    const { target, decided = {} } = job;
    const variant = target ? `${JSON.stringify(target)}/${jsonHash(decided)}` : '';
    const key = `${namespace}/${deployment}/${location}/${goal.digest}/${variant}`;
    const known = this.#known.get(key);
    if (known && known.until > this.#clock.monotonic()) return known.expanded;
    const expanded = await this.#expand(job, signal);
    const lastsMs = againIn(expanded.problems) ?? Number.POSITIVE_INFINITY;
    this.#known.set(key, { expanded, until: this.#clock.monotonic() + lastsMs }, namespace, bytesOf(expanded));
    return expanded;
  }

  /** The same with Azure's answers. The result is not kept: it is used once, and has parts of the answers. */
  async expandWith(
    goal: GoalText,
    place: ExpansionPlace,
    answers: Answers,
    signal: AbortSignal,
  ): Promise<ExpansionAnswer> {
    return await this.#expand({ ...this.#jobOf(goal, place), answers }, signal);
  }

  /** The parts of `decided` that the expansion of a location reads, or its problems. Rejects as `expand`. */
  async readParts(
    goal: GoalText,
    place: ExpansionPlace,
    decided: Answers,
    signal: AbortSignal,
  ): Promise<ReadPartsAnswer> {
    const job = { ...this.#jobOf(goal, place), decided, readParts: true } as const;
    const result = await this.#run(place.namespace, job, signal);
    if ('answer' in result && 'parts' in result.answer) return result.answer;
    return { parts: {}, problems: [tooMuch('expansion of one location', result)] };
  }

  /** The outputs of one location with Azure's answers. Rejects as `expand`. */
  async outputs(goal: GoalText, place: ExpansionPlace, answers: Answers, signal: AbortSignal): Promise<GoalOutputs> {
    if (!goal.arm) return { outputs: [], needed: [], problems: [] };
    const result = await this.#run(place.namespace, { ...this.#jobOf(goal, place), answers, outputs: true }, signal);
    if ('answer' in result && 'outputs' in result.answer) return result.answer;
    return { outputs: [], needed: [], problems: [tooMuch('expansion of one location', result)] };
  }

  /**
   * The goal of a deployment's spec, made at this time (milliseconds since the epoch), or why it has none: the spec may be
   * a megabyte that takes a second to put in order. Rejects with AZ_BUDGET_SPENT as `expand`; linked templates are not read
   * then, nor for a spec that is refused.
   */
  async goal(
    namespace: string,
    { spec, whole }: GoalSource,
    now: number,
    signal: AbortSignal,
  ): Promise<GoalAnswer | DeploymentProblem> {
    if (isDeeperThan(spec, maxLevels)) {
      return { path: 'spec', message: `The spec is nested deeper than ${maxLevels} levels: flatten it` };
    }
    this.#checkCredit(namespace);
    const read = await whole();
    if ('problem' in read) return read.problem;
    const result = await this.#run(namespace, { spec: JSON.stringify(read), now }, signal);
    if ('answer' in result && 'hash' in result.answer) return result.answer;
    return { ...tooMuch('goal', result), path: 'spec' };
  }

  #jobOf({ text, arm, decided }: GoalText, place: ExpansionPlace): ExpansionJob {
    const target = arm && this.#groups(place.namespace, place.location, arm.owner);
    const given = decided?.[place.location];
    return { goal: text, place, ...(target && { target }), ...(given && { decided: given }) };
  }

  async #expand(job: ExpansionJob, signal: AbortSignal): Promise<ExpansionAnswer> {
    const result = await this.#run(job.place.namespace, job, signal);
    if ('answer' in result && 'nodes' in result.answer) return result.answer;
    return { nodes: [], problems: [tooMuch('expansion of one location', result)] };
  }

  #checkCredit(namespace: string): void {
    const waitMs = this.#credit.waitMs(namespace);
    if (waitMs === 0) return;
    const message = 'The templates of this namespace have used up their time: make those that take long simpler';
    throw new AzimuthError('AZ_BUDGET_SPENT', message, { retryAfterMs: waitMs });
  }

  async #run(namespace: string, job: Job, signal: AbortSignal) {
    this.#checkCredit(namespace);
    const result = await this.#process.run(namespace, job, signal);
    this.#credit.spend(namespace, result.ms);
    if ('exceeded' in result && result.exceeded === 'processor') throw noProcessor();
    return result;
  }

  /** Ends the process. */
  close(): void {
    this.#process.close();
  }
}

/** Levels of a spec. A tenant decides how deep it goes, and writing JSON ends at some thousand levels. */
const maxLevels = 200;

/** Bytes that an expanded location may need: V8 has one or two for each character. */
function bytesOf({ nodes, problems }: ExpansionAnswer): number {
  const ofNodes = nodes.map(({ manifestText, dependsOn }) => 2 * manifestText.length + 64 * dependsOn.length + 1024);
  return ofNodes.reduce((sum, bytes) => sum + bytes, 1024 * (1 + problems.length));
}

function tooMuch(work: string, result: object): DeploymentProblem {
  const what =
    'exceeded' in result && result.exceeded === 'time' ? `takes more than ${maxMs} ms` : 'takes too much memory';
  const message = `The ${work} ${what}: make the template smaller. It is tried again every ${againMs / 60_000} minutes`;
  return { path: 'template', message, retryAfterMs: againMs };
}

/** Milliseconds after which the first of these problems may have passed without a change; undefined: none will. */
export function againIn(problems: readonly DeploymentProblem[]): number | undefined {
  const times = problems.flatMap(({ retryAfterMs }) => retryAfterMs ?? []);
  return times.length === 0 ? undefined : Math.min(...times);
}
