/** Answers of Azure about a scale set and its instances, read without trust in their shape. */
import { isObject, type JsonObject } from '../../base/json.ts';
import type { RollInstance } from '../rolls/instance-counts.ts';
import type { RollingUpgradeState } from '../rolls/roll-plan.ts';
import { listIn, objectIn, textIn } from './machine-model.ts';

/**
 * One item of `virtualMachines?$expand=instanceView` of a set. Undefined for one without an id, and for one that is being
 * deleted. Without a health source, an instance is healthy unless its last operation failed. One whose health the
 * extension does not know yet (`initializing`) is on its way.
 */
export function instanceOf(item: unknown): RollInstance | undefined {
  if (!isObject(item)) return undefined;
  const id = textIn(item, 'instanceId') ?? textIn(item, 'name');
  const properties = objectIn(item, 'properties');
  const provisioning = (textIn(properties, 'provisioningState') ?? 'Succeeded').toLowerCase();
  if (id === undefined || id === '' || provisioning === 'deleting') return undefined;
  const view = objectIn(properties, 'instanceView');
  const status = objectIn(view, 'vmHealth', 'status');
  const health = textIn(status, 'code')?.toLowerCase();
  const power = powerOf(view);
  const moves = ['updating', 'creating', 'migrating'].includes(provisioning) || health === 'healthstate/initializing';
  const healthy = health === undefined ? provisioning !== 'failed' : health === 'healthstate/healthy';
  const problem = healthy ? undefined : problemOf(view, status);
  return {
    id,
    latestModelApplied: properties['latestModelApplied'] === true,
    healthy,
    running: power === undefined || power === 'running' || power === 'starting',
    ...(moves && { upgrading: true }),
    ...(objectIn(properties, 'protectionPolicy')['protectFromScaleSetActions'] === true && { held: true }),
    ...(problem !== undefined && { problem }),
  };
}

/** Why an instance is unhealthy: the text of its health, or of the first status that is an error. */
function problemOf(view: JsonObject, health: JsonObject): string | undefined {
  const errors = listIn(view, 'statuses').filter((each) => textIn(objectIn(each), 'level')?.toLowerCase() === 'error');
  for (const each of [health, ...errors.map((status) => objectIn(status))]) {
    const text = textIn(each, 'message') ?? textIn(each, 'displayStatus');
    if (text) return text.slice(0, 200);
  }
  return undefined;
}

function powerOf(view: JsonObject): string | undefined {
  for (const status of listIn(view, 'statuses')) {
    const [kind, word] = (textIn(objectIn(status), 'code') ?? '').toLowerCase().split('/');
    if (kind === 'powerstate') return word;
  }
  return undefined;
}

/** The document of `rollingUpgrades/latest`; undefined for anything else. */
export function rollingUpgradeOf(body: unknown): RollingUpgradeState | undefined {
  const properties = objectIn(body, 'properties');
  const code = textIn(objectIn(properties, 'runningStatus'), 'code');
  if (code === undefined) return undefined;
  const error = objectIn(properties, 'error');
  const errorCode = textIn(error, 'code');
  return {
    code,
    ...(errorCode !== undefined && { error: { code: errorCode, message: textIn(error, 'message') ?? '' } }),
  };
}
