import { parseResourceId, resourcePath, sameResourceId, subscriptionPath } from '../../azure/arm/resource-ids.ts';
import { AzimuthError } from '../../base/errors.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import { getPath } from '../values/json-object.ts';
import type { ExtensionTools, KindExtension } from './extension.ts';

const apiVersion = '2024-11-01';

/** The create modes that ARM does not know: they search for a soft-deleted vault of the name first. */
export const vaultExtension: KindExtension = {
  beforePut: async (object, body, tools) => {
    const mode = getPath(object, 'spec.properties.createMode');
    if (mode !== 'createOrRecover' && mode !== 'purgeThenCreate') return body;
    const deleted = await deletedVault(body, tools);
    if (deleted === undefined) return withMode(body, 'default');
    const before = getPath(deleted, 'properties.vaultId');
    if (mode === 'createOrRecover') {
      if (typeof before === 'string' && !sameResourceId(before, tools.resourceId)) {
        const shown = mayReach(tools, before) ? before : 'a vault of others';
        throw new AzimuthError(
          'AZ_TERMINAL',
          `A deleted vault of this name was ${shown}, which is not ${tools.resourceId}: recover or purge it there, or choose another name`,
        );
      }
      return withMode(body, 'recover');
    }
    // A purge cannot be undone, and the vault may have been another team's, because its name is unique in the whole of
    // Azure.
    if (typeof before !== 'string' || !mayReach(tools, before)) tools.checkReach('/');
    await tools.complete(`${deletedPath(body, tools)}/purge`, apiVersion);
    return withMode(body, 'default');
  },
};

function deletedVault(body: JsonObject, tools: ExtensionTools): Promise<unknown> {
  return tools.tryGet(deletedPath(body, tools), apiVersion);
}

function deletedPath(body: JsonObject, { subscriptionId, resourceId }: ExtensionTools): string {
  const { name } = parseResourceId(resourceId);
  const location = String(body['location'] ?? '')
    .replaceAll(' ', '')
    .toLowerCase();
  // The location becomes part of a path.
  if (!/^[a-z0-9]+$/.test(location)) throw new AzimuthError('AZ_TERMINAL', `Azure has no region \`${location}\``);
  return resourcePath(subscriptionPath(subscriptionId), 'Microsoft.KeyVault/locations/deletedVaults', location, name);
}

/** Whether the namespace may reach a vault, without an error that names the vault of somebody else. */
function mayReach(tools: ExtensionTools, armId: string): boolean {
  try {
    tools.checkReach(armId);
    return true;
  } catch {
    return false;
  }
}

function withMode(body: JsonObject, createMode: string): JsonObject {
  const properties = isObject(body['properties']) ? body['properties'] : {};
  return { ...body, properties: { ...properties, createMode } };
}
