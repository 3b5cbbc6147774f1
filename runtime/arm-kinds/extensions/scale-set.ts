import { AzimuthError } from '../../base/errors.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import type { KubeObject } from '../../kube/client/types.ts';
import { instancesSetting } from '../instances-setting.ts';
import { getPath } from '../values/json-object.ts';
import { carryExisting } from './carry-existing.ts';
import type { ExtensionTools, KindExtension } from './extension.ts';

const others = carryExisting('properties.virtualMachineProfile.extensionProfile.extensions', 'name');

/**
 * A scale set keeps extensions that other objects put into it. Azure takes no model while it rolls another one: the
 * upgrade to a model that is out of date is cancelled first, unless the object leaves its instances to others.
 */
export const scaleSetExtension: KindExtension = {
  ...others,
  beforePut: async (object, body, tools) => {
    if (rollsByItself(body) && isFollowed(object)) await cancelUpgrade(tools);
    return (await others.beforePut?.(object, body, tools)) ?? body;
  },
};

/** Whether the operator brings the instances of the set to each model: an upgrade to an older one only delays that. */
function isFollowed({ metadata, spec }: KubeObject): boolean {
  const list = isObject(spec) ? getPath(spec as JsonObject, 'operatorSpec.managedSecrets') : undefined;
  return (Array.isArray(list) && list.length > 0) || instancesSetting(metadata.annotations) !== 'ignore';
}

const rollsByItself = (body: JsonObject) => getPath(body, 'properties.upgradePolicy.mode') === 'Rolling';

/** Milliseconds to the next read of an upgrade that is being cancelled. */
const cancelPollMs = 15_000;

/** Throws AZ_ARM_BUSY until Azure has cancelled the upgrade: the batch under way comes to its end before. */
async function cancelUpgrade({ resourceId, apiVersion, tryGet, complete }: ExtensionTools): Promise<void> {
  const status = async () => {
    const upgrade = await tryGet(`${resourceId}/rollingUpgrades/latest`, apiVersion);
    return isObject(upgrade) ? getPath(upgrade, 'properties.runningStatus') : undefined;
  };
  const running = await status();
  if (!isObject(running) || running['code'] !== 'RollingForward') return;
  if (running['lastAction'] !== 'Cancel') {
    await complete(`${resourceId}/rollingUpgrades/cancel`, apiVersion);
    const after = await status();
    if (!isObject(after) || after['code'] !== 'RollingForward') return;
  }
  throw new AzimuthError(
    'AZ_ARM_BUSY',
    'Azure ends the batch of a rolling upgrade that was cancelled; the new model follows',
    {
      retryAfterMs: cancelPollMs,
    },
  );
}
