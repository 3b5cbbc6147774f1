import { tryParseResourceId } from '../../../azure/arm/resource-ids.ts';
import type { ArmResponse, SharedArmRequest } from '../../../azure/types.ts';
import { isObject } from '../../../base/json.ts';
import { locationKey } from '../../../compute/features/features.ts';
import { additionalDemand, demandOf, quotaProblem, type Usage, usagesOf } from '../../../compute/limits/quota.ts';
import { listIn, textIn } from '../../../compute/machines/machine-model.ts';
import type { EffectContext, EffectReport } from '../../effects/effect-context.ts';

/** Milliseconds after which a machine goes on without an answer. */
const timeoutMs = 10_000;
const apiVersion = '2024-07-01';
/** Pages of one list; Azure sends one. */
const maxPages = 20;

/**
 * Sends a machine with ManagedSecrets if its region has the quota for its additional demand. It is sent too without an
 * answer of Azure, and where the cores of its size are not known. A machine that Azure refuses takes no quota from
 * others.
 */
export async function withQuota(context: EffectContext, send: () => Promise<EffectReport>): Promise<EffectReport> {
  const reserved = await reserveQuota(context);
  if (reserved?.refusal) return reserved.refusal;
  let taken = false;
  try {
    const report = await send();
    taken = report.outcome !== 'retry' && report.outcome !== 'failed';
    return report;
  } finally {
    if (!taken) reserved?.release();
  }
}

interface Reserved {
  readonly refusal?: EffectReport;
  readonly release: () => void;
}

/** Counts the demand of the machine among those that were sent since Azure's last answer. */
async function reserveQuota(context: EffectContext): Promise<Reserved | undefined> {
  const { machines, runtime } = context.shared;
  const { machine, declared, object, usesOperatorCredential } = context.plan;
  const { live } = context.observed;
  if (!machines || !machine || !declared) return undefined;
  const machineDemand = demandOf(machine.kind, declared);
  const present = live?.exists ? demandOf(machine.kind, live.body) : new Map();
  if (!machineDemand || !present) return undefined;
  const additional = additionalDemand(machineDemand, present);
  const subscription = tryParseResourceId(context.id())?.subscriptionId?.toLowerCase();
  const location = locationKey(textIn(declared, 'location') ?? '');
  // The location is a tenant's text, and becomes a part of a path.
  if (additional.size === 0 || subscription === undefined || !/^[a-z0-9]{1,64}$/.test(location)) return undefined;
  const { uid = '', namespace = '' } = object.metadata;
  const key = `${usesOperatorCredential ? '' : namespace}/${subscription}/${location}`;
  const path = `/subscriptions/${subscription}/providers/Microsoft.Compute/locations/${location}/usages`;
  const reading = await machines.usages.of(key, runtime.clock.now(), () => readUsages(context, path));
  if (!reading) return undefined;
  const others = [...reading.sent].filter(([of]) => of !== uid);
  const usages = reading.usages.map(({ name, current, limit }) => {
    const inFlight = others.reduce((sum, [, demand]) => sum + (demand.get(name) ?? 0), 0);
    return { name, current: current + inFlight, limit };
  });
  const problem = quotaProblem(machine.kind, location, additional, usages);
  const release = () => void reading.sent.delete(uid);
  if (!problem) {
    reading.sent.set(uid, additional);
    return { release };
  }
  const failure = { code: problem.name, message: `${problem.path}: ${problem.message}` };
  const observed = context.isNew ? { acquired: undefined } : {};
  return { refusal: { outcome: 'retry', failure, over: true, observed }, release };
}

async function readUsages(context: EffectContext, first: string): Promise<Usage[]> {
  const signal = AbortSignal.any([context.plan.signal, AbortSignal.timeout(timeoutMs)]);
  const usages: Usage[] = [];
  let path: string | undefined = first;
  for (let pages = 0; path !== undefined && pages < maxPages; pages++) {
    const request: SharedArmRequest = { ...context.requests.request('GET', path, { apiVersion }), signal };
    const { body }: ArmResponse = await context.requests.count('GET', () => context.shared.arm.send(request));
    if (!isObject(body)) break;
    usages.push(...usagesOf(listIn(body, 'value')));
    path = textIn(body, 'nextLink') || undefined;
  }
  return usages;
}
