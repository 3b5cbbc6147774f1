import { setOwn } from '../arm-kinds/values/json-object.ts';
import { isObject, type JsonObject } from '../base/json.ts';

const envelope = new Set(['id', 'name', 'type', 'etag', 'systemdata']);
/** Names of members that providers compute; ARM itself does not report which can be written. */
const computed =
  /^(provisioningState|provisioningStatus|provisioningDetails|resourceGuid|uniqueId|uniqueIdentifier|systemData|etag|statusOf.*|creat(ed|ion)(At|On|By|Date|Time|DateTime|ByType)?|timeCreated|lastModified.*|modified(At|On|By|Date|Time)|updated(At|On)|lastUpdated.*|operationalState|healthStatus)$/i;
const identityOutputs = new Set(['principalId', 'tenantId', 'clientId']);

/**
 * The body of an ArmResource for ARM's answer: without id, name and type, and without known computed members.
 * Other members that a provider computes stay; declared as they are, they are no difference.
 */
export function bodyWithoutReadOnly(live: JsonObject): JsonObject {
  const body: JsonObject = {};
  for (const [name, value] of Object.entries(live)) {
    if (envelope.has(name.toLowerCase()) || value === null) continue;
    if (name === 'identity') setOwn(body, name, identityOf(value));
    else setOwn(body, name, name === 'properties' && isObject(value) ? withoutComputed(value) : value);
  }
  return body;
}

function withoutComputed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutComputed);
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([name, member]) => member !== null && !computed.test(name));
  return Object.fromEntries(kept.map(([name, member]) => [name, withoutComputed(member)]));
}

function identityOf(identity: unknown): unknown {
  if (!isObject(identity)) return identity;
  const { userAssignedIdentities, ...rest } = identity;
  const own = Object.fromEntries(Object.entries(rest).filter(([name]) => !identityOutputs.has(name)));
  if (!isObject(userAssignedIdentities)) return own;
  return {
    ...own,
    userAssignedIdentities: Object.fromEntries(Object.keys(userAssignedIdentities).map((id) => [id, {}])),
  };
}
