import { LRUCache } from 'lru-cache';
import type { DeploymentProblem } from '../../../compute/deployments/substitute.ts';

interface Failure {
  readonly problems: readonly DeploymentProblem[];
  /** Monotonic milliseconds; infinite where only a change of the deployment or another run helps. */
  readonly againAt: number;
}

/** The outputs of one version of a deployment, by location. */
interface Progress {
  readonly version: string;
  /** Monotonic milliseconds when the location is read again. */
  readonly written: Map<string, number>;
  readonly failed: Map<string, Failure>;
}

/** How far the outputs of each deployment are. What is forgotten is written again. */
export class OutputProgress {
  readonly #byUid = new LRUCache<string, Progress>({ max: 10_000 });

  /** The progress of this version, which is the run and the generation; that of another version is over. */
  of(uid: string, version: string): Progress {
    const known = this.#byUid.get(uid);
    if (known?.version === version) return known;
    const progress = { version, written: new Map<string, number>(), failed: new Map<string, Failure>() };
    this.#byUid.set(uid, progress);
    return progress;
  }
}

/** The problems of a location that is not to be tried again yet; undefined where it is. `now` is monotonic. */
export function pendingProblems(
  { failed }: Progress,
  location: string,
  now: number,
): readonly DeploymentProblem[] | undefined {
  const failure = failed.get(location);
  if (!failure || failure.againAt <= now) return undefined;
  const { problems, againAt } = failure;
  if (againAt === Number.POSITIVE_INFINITY) return problems;
  return problems.map((problem) => ({ ...problem, retryAfterMs: againAt - now }));
}

/** Notes that a location is written, and when it is read again. */
export function noteSuccess({ written, failed }: Progress, location: string, againAt: number): void {
  failed.delete(location);
  written.set(location, againAt);
}

/** Notes the problems of a location. `now` is monotonic. */
export function noteFailure(
  { written, failed }: Progress,
  location: string,
  problems: readonly DeploymentProblem[],
  now: number,
): void {
  const waits = problems.map(({ retryAfterMs }) => retryAfterMs ?? Number.POSITIVE_INFINITY);
  written.delete(location);
  failed.set(location, { problems, againAt: now + Math.min(...waits) });
}
