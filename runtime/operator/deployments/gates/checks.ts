import type { GateCheckSpec } from '../../../api/deployments/wave-gate.ts';
import { AzimuthError, messageOf } from '../../../base/errors.ts';
import { isObject, tryParseJson } from '../../../base/json.ts';
import { atLocation } from '../../../compute/deployments/substitute.ts';
import type { AllowedTargets } from '../targets/allowed-targets.ts';
import type { CheckPlace, Try } from './check-place.ts';
import type { JobChecks } from './job-check.ts';
import type { MonitorMetrics } from './monitor-metrics.ts';

/** Dependencies of the checks. */
export interface ChecksDeps {
  readonly targets: Pick<AllowedTargets, 'get'>;
  readonly jobs: Pick<JobChecks, 'run'>;
  readonly metrics: Pick<MonitorMetrics, 'value'>;
}

/** Performs the checks of gates. */
export class Checks {
  readonly #deps: ChecksDeps;

  constructor(deps: ChecksDeps) {
    this.#deps = deps;
  }

  /** One try of a check, at each location of the wave that its text names. A refusal is final, other failures are not. */
  async run(check: GateCheckSpec, place: CheckPlace, signal: AbortSignal): Promise<Try> {
    const { name: _, ...rest } = check;
    const perLocation = JSON.stringify(rest).includes('${location}');
    const tries = (perLocation ? place.locations : ['']).map((location) =>
      this.#one(check, place, location, signal).catch(failed),
    );
    const results = await Promise.all(tries);
    const bad = results.findIndex(({ state }) => state !== 'Passed');
    const first = results[bad];
    if (!first) return { state: 'Passed', message: '' };
    return perLocation ? { ...first, message: `${place.locations[bad]}: ${first.message}` } : first;
  }

  async #one(check: GateCheckSpec, place: CheckPlace, location: string, signal: AbortSignal): Promise<Try> {
    const { targets, jobs, metrics } = this.#deps;
    const { http, prometheus, azureMonitor, job } = check;
    const at = (text: string) => atLocation(text, location);
    if (http) {
      const { status } = await targets.get(at(http.url), 'status', signal);
      const isGood = http.status === undefined ? status >= 200 && status < 300 : status === http.status;
      return isGood ? passed : { state: 'Trying', message: `${at(http.url)} is answered with ${status}` };
    }
    if (prometheus) {
      const url = new URL('api/v1/query', at(prometheus.url).replace(/\/?$/, '/'));
      url.searchParams.set('query', at(prometheus.query));
      const { status, text } = await targets.get(url.href, 'text', signal);
      if (status !== 200) return { state: 'Trying', message: `Prometheus answers with ${status}` };
      return within(prometheus, prometheusValue(text));
    }
    if (azureMonitor) {
      const resource = { ...azureMonitor.resource, name: at(azureMonitor.resource.name) };
      return within(azureMonitor, await metrics.value(place.deployment, { ...azureMonitor, resource }, signal));
    }
    if (job) return await jobs.run(check.name, job.spec, { ...place, location }, signal);
    return { state: 'Failed', message: 'the check says nothing to do' };
  }
}

const passed: Try = { state: 'Passed', message: '' };

function failed(error: unknown): Try {
  const code = error instanceof AzimuthError ? error.code : undefined;
  const isFinal = code === 'AZ_TERMINAL' || code === 'AZ_ACCESS_DENIED';
  return { state: isFinal ? 'Failed' : 'Trying', message: messageOf(error).slice(0, 512) };
}

/** Whether a value keeps the bounds. Without a value the check is tried again. */
function within(
  { above, below }: { readonly above?: number; readonly below?: number },
  value: number | undefined,
): Try {
  if (value === undefined) return { state: 'Trying', message: 'there is no value' };
  if (above !== undefined && !(value > above)) return { state: 'Trying', message: `${value} is not above ${above}` };
  if (below !== undefined && !(value < below)) return { state: 'Trying', message: `${value} is not below ${below}` };
  return passed;
}

/** The number of an instant query: of a scalar, or of a vector with one sample. */
function prometheusValue(text: string): number | undefined {
  const answer = tryParseJson(text);
  if (!isObject(answer)) throw new Error('Prometheus answers with no JSON object');
  const { data } = answer;
  const { resultType, result } = isObject(data) ? data : {};
  if (!Array.isArray(result)) return undefined;
  if (resultType === 'vector' && result.length > 1) {
    throw new AzimuthError('AZ_TERMINAL', `the query has ${result.length} results: make it one, such as by sum()`);
  }
  const sample: unknown = resultType === 'scalar' ? result : isObject(result[0]) ? result[0]['value'] : undefined;
  const value = Array.isArray(sample) ? Number(sample[1]) : Number.NaN;
  return Number.isNaN(value) ? undefined : value;
}
