/** Answers of Azure about a scale set and its instances, read without trust in their shape. */
import { isObject, type JsonObject } from '../../base/json.ts';
import type { RollInstance, RollingUpgradeState } from '../rolls/roll-plan.ts';
import { listIn, objectIn, textIn } from './machine-model.ts';

/**
 * One item of `virtualMachines?$expand=instanceView` of a set. Undefined for one without an id, and for one that is being
 * deleted. Without a health source, an instance is healthy unless its last operation failed.
 */
export function instanceOf(item: unknown): RollInstance | undefined {
  if (!isObject(item)) return undefined;
  const id = textIn(item, 'instanceId') ?? textIn(item, 'name');
  const properties = objectIn(item, 'properties');
  const provisioning = (textIn(properties, 'provisioningState') ?? 'Succeeded').toLowerCase();
  if (id === undefined || id === '' || provisioning === 'deleting') return undefined;
  const view = objectIn(properties, 'instanceView');
  const health = textIn(objectIn(view, 'vmHealth', 'status'), 'code')?.toLowerCase();
  const power = powerOf(view);
  return {
    id,
    latestModelApplied: properties['latestModelApplied'] === true,
    healthy: health === undefined ? provisioning !== 'failed' : health === 'healthstate/healthy',
    running: power === undefined || power === 'running' || power === 'starting',
    ...(['updating', 'creating', 'migrating'].includes(provisioning) && { upgrading: true }),
  };
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
