import type { ComputeDeploymentSpec, DeploymentStrategy } from '../../api/deployments/compute-deployment.ts';
import { tryParseDuration } from '../../base/duration.ts';
import type { DeploymentProblem } from './substitute.ts';
import { gateOf, type WaveGate } from './wave-gate.ts';

/** A strategy with its defaults. */
export interface Strategy {
  /** Locations by wave. */
  readonly waves: readonly (readonly string[])[];
  readonly parallelism: number;
  readonly maxUnavailable: number | undefined;
  /** Milliseconds. */
  readonly pauseBetweenMs: number;
  /** Milliseconds. */
  readonly progressDeadlineMs: number;
  readonly onFailure: 'Stop' | 'Continue' | 'Rollback';
  /** What must hold after each wave; undefined: nothing more than that its resources are Ready. */
  readonly gate: WaveGate | undefined;
}

const defaultParallelism = 4;
const defaultDeadlineMs = 3_600_000;

/** The strategy for these locations. Those that are in no wave come in a last one; unknown ones are left out. */
export function strategyOf(given: DeploymentStrategy | undefined, locations: readonly string[]): Strategy {
  const { waves = [], parallelism = defaultParallelism, maxUnavailable, onFailure = 'Stop' } = given ?? {};
  const left = new Set(locations);
  const named = waves.map((wave) => wave.filter((location) => left.delete(location)));
  return {
    waves: [...named, [...left]].filter((wave) => wave.length > 0),
    parallelism,
    maxUnavailable,
    pauseBetweenMs: spanOf(given?.pauseBetween) ?? 0,
    progressDeadlineMs: spanOf(given?.progressDeadline) ?? defaultDeadlineMs,
    onFailure,
    // A failed resource would hold a gate for ever; strategyProblems refuses the two together.
    gate: given?.gate && onFailure !== 'Continue' ? gateOf(given.gate) : undefined,
  };
}

/** Problems of the waves of a spec: locations that are not there, or there twice. */
export function strategyProblems({ strategy, locations }: ComputeDeploymentSpec): readonly DeploymentProblem[] {
  const known = new Set(locations.map(({ name }) => name));
  const seen = new Set<string>();
  const problems: DeploymentProblem[] = [];
  if (strategy?.gate && strategy.onFailure === 'Continue')
    problems.push({ path: 'strategy.gate', message: 'a gate stops the run: set onFailure to Stop or Rollback' });
  for (const [index, wave] of (strategy?.waves ?? []).entries()) {
    for (const location of wave) {
      const path = `strategy.waves[${index}]`;
      if (!known.has(location))
        problems.push({ path, message: `${location} is not among spec.locations: add it there, or remove it here` });
      else if (seen.has(location)) problems.push({ path, message: `${location} is in two waves: remove one` });
      seen.add(location);
    }
  }
  return problems.slice(0, 20);
}

function spanOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : tryParseDuration(text);
}
