import { AzimuthError } from '../../base/errors.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import { isGone } from '../arm/not-found.ts';
import type { GraphClient } from './graph-client.ts';

/** A group as Graph shows it; other members are there too. */
export interface Group {
  readonly id: string;
  readonly uniqueName: string | null;
  readonly displayName: string;
  readonly mailNickname: string | null;
  readonly description: string | null;
  readonly groupTypes: readonly string[];
  readonly isAssignableToRole: boolean | null;
}

/** The key of a group: its object id, or the unique name that its creator gave to it. */
export type GroupKey = { readonly id: string } | { readonly uniqueName: string };

/** The members that a read asks for. */
const members = 'id,uniqueName,displayName,mailNickname,description,groupTypes,isAssignableToRole';

/** A text of OData: in quotes, with each quote in it doubled. */
export function odataText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

function pathOf(key: GroupKey): string {
  if ('id' in key) return `/groups/${encodeURIComponent(key.id)}`;
  return `/groups(uniqueName=${encodeURIComponent(odataText(key.uniqueName))})`;
}

/** The group, or undefined where there is none. Throws ArmError, and AZ_GRAPH_UNREACHABLE for what is no group. */
export async function readGroup(graph: GraphClient, key: GroupKey): Promise<Group | undefined> {
  try {
    const { body } = await graph.send({ method: 'GET', path: `${pathOf(key)}?$select=${members}` });
    if (isGroup(body) && (!('id' in key) || body.id.toLowerCase() === key.id.toLowerCase())) return body;
    throw noGroup();
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
}

/** The groups of this display name, at most ten: nobody needs to know of more. Throws as readGroup. */
export async function groupsNamed(graph: GraphClient, displayName: string): Promise<readonly Group[]> {
  const filter = encodeURIComponent(`displayName eq ${odataText(displayName)}`);
  const { body } = await graph.send({ method: 'GET', path: `/groups?$filter=${filter}&$select=${members}&$top=10` });
  const value = isObject(body) ? body['value'] : undefined;
  if (!Array.isArray(value) || !value.every(isGroup)) throw noGroup();
  return value;
}

/**
 * Creates the group with this unique name, or changes the one that has it: two requests make one group. Resolves to a
 * created group. Throws ArmError.
 */
export async function upsertGroup(
  graph: GraphClient,
  uniqueName: string,
  body: JsonObject,
): Promise<Group | undefined> {
  const request = { method: 'PATCH', path: pathOf({ uniqueName }), body, prefer: 'create-if-missing' } as const;
  const { status, body: made } = await graph.send(request);
  return status === 201 && isGroup(made) ? made : undefined;
}

/** Changes members of a group. Throws ArmError. */
export async function changeGroup(graph: GraphClient, key: GroupKey, body: JsonObject): Promise<void> {
  await graph.send({ method: 'PATCH', path: pathOf(key), body });
}

/** Deletes a group; an absent one is no error. Throws ArmError. */
export async function deleteGroup(graph: GraphClient, key: GroupKey): Promise<void> {
  try {
    await graph.send({ method: 'DELETE', path: pathOf(key) });
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}

/** Neither there nor absent: who took it for absent would make another group, or leave one behind. */
const noGroup = () =>
  new AzimuthError('AZ_GRAPH_UNREACHABLE', 'Microsoft Graph answered with something else than groups');

function isGroup(value: unknown): value is Group {
  return isObject(value) && typeof value['id'] === 'string' && typeof value['displayName'] === 'string';
}
