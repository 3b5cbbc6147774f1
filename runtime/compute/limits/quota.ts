/**
 * The quota that a machine needs, by the names of `Microsoft.Compute/locations/{location}/usages`. Azure refuses a PUT
 * beyond it; these rules find that before the PUT.
 */
import { isObject, type JsonObject } from '../../base/json.ts';
import { type Machine, objectIn, profileOf, textIn } from '../machines/machine-model.ts';
import { type ComputeProblem, computeError, computeWarning, quoted } from '../problems/compute-problem.ts';

/** One line of `usages`. */
export interface Usage {
  /** Such as `cores` or `standardDSv3Family`, in lower case. */
  readonly name: string;
  readonly current: number;
  readonly limit: number;
}

/** Numbers by the name of a usage in lower case. */
export type Demand = ReadonlyMap<string, number>;

/** Most usages of one region that count; Azure has about 200. */
const mostUsages = 2000;

/** The usages of an answer of Azure; lines that are none are left out. */
export function usagesOf(lines: readonly unknown[]): Usage[] {
  return lines.slice(0, mostUsages).flatMap((line): Usage[] => {
    if (!isObject(line)) return [];
    const { currentValue: current, limit } = line;
    const name = textIn(objectIn(line, 'name'), 'value')?.toLowerCase();
    if (name === undefined || !isCount(current) || !isCount(limit)) return [];
    return [{ name, current, limit }];
  });
}

/** Series of older sizes, whose number is a rank and not the number of cores. */
const ranked = /^(A|D|DS|G|GS)$/i;

interface Size {
  readonly cores: number;
  /** Name of its family among the usages, in lower case. Names that differ from the pattern are not found there. */
  readonly family: string;
}

/** The cores and family of a size, by its name: Standard_D2s_v3 has 2 of standardDSv3Family, Standard_E4-2s_v5 has 2. */
export function sizeOf(name: string): Size | undefined {
  const parts = /^(?:Standard|Basic)_([A-Z]{1,4})(\d{1,3})(?:-(\d{1,3}))?([a-z]{0,6})(?:_v(\d{1,2}))?$/i.exec(name);
  if (!parts) return undefined;
  const [, series = '', all = '', constrained, features = '', version] = parts;
  const isRanked = ranked.test(series) && Number(version ?? 1) < 3 && !(/^A$/i.test(series) && version === '2');
  if (isRanked || Number(all) === 0) return undefined;
  const family = `standard${series}${features}${version === undefined ? '' : `v${version}`}family`.toLowerCase();
  return { cores: Number(constrained ?? all), family };
}

/** The demand of a machine; undefined where the cores of its size are not known. */
export function demandOf(kind: Machine['kind'], body: JsonObject): Demand | undefined {
  const isSet = kind === 'VirtualMachineScaleSet';
  const { capacity } = objectIn(body, 'sku');
  const count = isSet ? (isCount(capacity) ? capacity : 0) : 1;
  const size = sizeOf(sizeName(kind, body));
  if (!size) return undefined;
  const { priority } = profileOf({ kind, body } as Machine);
  const cores = size.cores * count;
  const isSpot = typeof priority === 'string' && /^(spot|low)$/i.test(priority);
  const ofCores: [string, number][] = isSpot
    ? [['lowprioritycores', cores]]
    : [
        ['cores', cores],
        [size.family, cores],
      ];
  return new Map([...ofCores, [isSet ? 'virtualmachinescalesets' : 'virtualmachines', 1]]);
}

/** The demand of a machine beyond its present one, which the usages count already. */
export function additionalDemand(wanted: Demand, present: Demand = new Map()): Demand {
  const more = [...wanted].map(([name, number]) => [name, number - (present.get(name) ?? 0)] as const);
  return new Map(more.filter(([, number]) => number > 0));
}

/** The usages that a demand would bring above their limits. */
export function exceededUsages(additional: Demand, usages: readonly Usage[]): Usage[] {
  return usages.filter(({ name, current, limit }) => {
    const more = additional.get(name);
    return more !== undefined && current + more > limit;
  });
}

/** The problem of a demand that a region has no quota for; none where Azure names no limit. */
export function quotaProblem(
  kind: Machine['kind'],
  location: string,
  additional: Demand,
  usages: readonly Usage[],
): ComputeProblem | undefined {
  const [exceeded] = exceededUsages(additional, usages);
  if (!exceeded) return undefined;
  const { name, current, limit } = exceeded;
  const more = additional.get(name) ?? 0;
  const fix =
    `${location} has ${current} of ${limit} ${name} in use, and this needs ${more} more: ask Azure for more quota, ` +
    'free some, or choose another size or fewer instances. The operator goes on by itself when there is quota';
  const message = `Operation results in exceeding quota limits of Core. Maximum allowed: ${limit}, Current in use: ${current}, Additional requested: ${more}.`;
  const azure = { when: 'Request', status: 409, code: 'OperationNotAllowed', message } as const;
  return computeError('QuotaExceeded', sizePath(kind), fix, name === 'cores' ? azure : { when: 'Request' });
}

/** The warning that nothing checks the quota of a machine before Azure does. */
export function uncheckedQuota({ kind, body }: Pick<Machine, 'kind' | 'body'>): ComputeProblem[] {
  const name = sizeName(kind, body);
  if (name === '' || sizeOf(name)) return [];
  const text = `the cores of ${quoted(name)} are not known here, so that only Azure checks the quota for it`;
  return [computeWarning('QuotaUnchecked', sizePath(kind), text)];
}

function sizePath(kind: Machine['kind']): string {
  return kind === 'VirtualMachine' ? 'properties.hardwareProfile.vmSize' : 'sku';
}

function sizeName(kind: Machine['kind'], body: JsonObject): string {
  const size =
    kind === 'VirtualMachine'
      ? objectIn(body, 'properties', 'hardwareProfile')['vmSize']
      : objectIn(body, 'sku')['name'];
  return typeof size === 'string' ? size : '';
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
