import { isObject } from '../../../runtime/base/json.ts';
import { normalLocation } from '../arm/write-checks.ts';
import { type Reply, refuse } from '../exchange.ts';
import { type Json, objectOf, stringOf } from '../json.ts';
import type { VaultCollection, VaultObject, VaultVersion } from '../state.ts';
import {
  badParameter,
  idOf,
  live,
  objectMissing,
  refuseDeleted,
  singular,
  type VaultRequest,
  vaultPage,
} from './vault-request.ts';

/** How a collection shows one version: with everything, or as an item of a list. */
export type Show = (request: VaultRequest, object: VaultObject, version: VaultVersion) => Json;

const day = 86_400;

/** The requests that secrets, keys and certificates share: lists, deletion, backup. Undefined for any other request. */
export function lifecycle(
  request: VaultRequest,
  collection: VaultCollection,
  item: Show,
  bundle: Show,
): Reply | undefined {
  const { exchange, rest, vault } = request;
  const [name = '', second] = rest;
  const objects = vault[collection];
  const { method } = exchange;
  if (method === 'GET' && rest.length === 0) {
    request.demand({ collection, right: 'list' });
    const all = Object.values(objects).filter((object) => object.deletedAt === undefined && object.versions.length > 0);
    return vaultPage(
      request,
      all.map((object) => item(request, object, newest(object))).map(withoutVersion(request, collection)),
    );
  }
  if (method === 'GET' && rest.length === 2 && second === 'versions') {
    request.demand({ collection, right: 'list' }, name);
    const object = live(request, collection, name);
    return vaultPage(
      request,
      object.versions.map((version) => item(request, object, version)),
    );
  }
  if (method === 'DELETE' && rest.length === 1) {
    request.demand({ collection, right: 'delete' }, name);
    const object = live(request, collection, name);
    if (collection !== 'certificates' && newest(object).managed) {
      throw refuse(
        403,
        'Forbidden',
        `The ${singular[collection]} belongs to a certificate and cannot be deleted by itself.`,
      );
    }
    forAll(request, collection, name, (one) => {
      one.deletedAt = request.now;
    });
    return {
      status: 200,
      body: { ...bundle(request, object, newest(object)), ...deletion(request, collection, object) },
    };
  }
  if (method === 'POST' && rest.length === 2 && second === 'backup') {
    request.demand({ collection, right: 'backup' }, name);
    const object = live(request, collection, name);
    return {
      status: 200,
      body: { value: Buffer.from(JSON.stringify({ collection, object, ...originOf(request) })).toString('base64url') },
    };
  }
  if (method === 'POST' && rest.length === 1 && name === 'restore') {
    request.demand({ collection, right: 'restore' });
    const object = restored(request, collection);
    return { status: 200, body: bundle(request, object, newest(object)) };
  }
  return undefined;
}

/** The paths below deletedsecrets, deletedkeys and deletedcertificates. */
export function deletedLifecycle(
  request: VaultRequest,
  collection: VaultCollection,
  bundle: Show,
  item: Show,
): Reply | undefined {
  const { exchange, rest, vault, now } = request;
  const [name = '', second] = rest;
  const { method } = exchange;
  if (method === 'GET' && rest.length === 0) {
    request.demand({ collection, right: 'list' });
    const gone = Object.values(vault[collection]).filter((object) => object.deletedAt !== undefined);
    const shown = gone.map((object) => ({
      ...withoutVersion(request, collection)(item(request, object, newest(object))),
      ...deletion(request, collection, object),
    }));
    return vaultPage(request, shown);
  }
  const object = vault[collection][name.toLowerCase()];
  if (object?.deletedAt === undefined) {
    if (rest.length === 0 || rest.length > 2) return undefined;
    throw objectMissing(collection, name);
  }
  if (method === 'GET' && rest.length === 1) {
    request.demand({ collection, right: 'get' }, name);
    const { value: _value, ...shown } = bundle(request, object, newest(object));
    return { status: 200, body: { ...shown, ...deletion(request, collection, object) } };
  }
  if (method === 'POST' && second === 'recover') {
    request.demand({ collection, right: 'recover' }, name);
    forAll(request, collection, name, (one) => {
      delete one.deletedAt;
    });
    const { value: _value, ...shown } = bundle(request, object, newest(object));
    return { status: 200, body: shown };
  }
  if (method === 'DELETE' && rest.length === 1) {
    request.demand({ collection, right: 'purge' }, name);
    if (objectOf(request.resource.body['properties'])['enablePurgeProtection'] === true) {
      throw refuse(
        403,
        'Forbidden',
        `Operation "purge" is not allowed because purge protection is enabled for this vault. Key Vault service will automatically purge it after the retention period has passed (${new Date(now).toISOString()}).`,
        { innererror: { code: 'ForbiddenByPolicy' } },
      );
    }
    forAll(request, collection, name, (_, from) => {
      delete vault[from][name.toLowerCase()];
    });
    return { status: 204 };
  }
  return undefined;
}

/** The newest version. */
export const newest = (object: VaultObject): VaultVersion => object.versions.at(-1) as VaultVersion;

/** A certificate takes its key and its secret along. */
function forAll(
  request: VaultRequest,
  collection: VaultCollection,
  name: string,
  change: (object: VaultObject, from: VaultCollection) => void,
): void {
  const collections: VaultCollection[] =
    collection === 'certificates' ? ['certificates', 'keys', 'secrets'] : [collection];
  for (const from of collections) {
    const object = request.vault[from][name.toLowerCase()];
    if (object) change(object, from);
  }
  request.exchange.entry.effective = true;
}

function deletion(request: VaultRequest, collection: VaultCollection, object: VaultObject): Json {
  const deletedDate = Math.floor((object.deletedAt ?? request.now) / 1000);
  const days = Number(objectOf(request.resource.body['properties'])['softDeleteRetentionInDays'] ?? 90);
  return {
    recoveryId: idOf(request, `deleted${collection}`, object.name),
    deletedDate,
    scheduledPurgeDate: deletedDate + days * day,
  };
}

/** Items of the main list carry an id without version. */
const withoutVersion =
  (request: VaultRequest, collection: VaultCollection) =>
  (item: Json): Json => {
    const member = collection === 'keys' ? 'kid' : 'id';
    const name = new URL(String(item[member])).pathname.split('/')[2] as string;
    return { ...item, [member]: idOf(request, collection, name) };
  };

/** Where a backup may be restored. */
function originOf({ resource }: VaultRequest): { geography: string; subscriptionId: string } {
  const { body, subscriptionId } = resource;
  return { geography: geographyOf(stringOf(body['location'])), subscriptionId };
}

const geographies: readonly (readonly [RegExp, string])[] = [
  [/us\d?$/, 'United States'],
  [/^(north|west)europe$/, 'Europe'],
  [/^(east|southeast)asia$/, 'Asia Pacific'],
];

/** Regions of one geography share it; elsewhere the word without the compass point is close enough. */
function geographyOf(location: string): string {
  const plain = normalLocation(location);
  const known = geographies.find(([pattern]) => pattern.test(plain))?.[1];
  return known ?? plain.replaceAll(/^(north|south|west|east|central)|(north|south|west|east|central)\d?$/g, '');
}

function restored(request: VaultRequest, collection: VaultCollection): VaultObject {
  let content: unknown;
  try {
    content = JSON.parse(Buffer.from(String(request.body['value'] ?? ''), 'base64url').toString('utf8'));
  } catch {
    throw badParameter('The backup blob is malformed.');
  }
  if (!isObject(content) || content['collection'] !== collection)
    throw badParameter(`The backup blob holds no ${singular[collection]}.`);
  const { geography, subscriptionId } = originOf(request);
  if (content['geography'] !== geography || content['subscriptionId'] !== subscriptionId) {
    throw badParameter('The backup blob cannot be restored in another geography or subscription than its own.');
  }
  const object = content['object'] as VaultObject;
  const current = request.vault[collection][object.name.toLowerCase()];
  refuseDeleted(collection, current);
  if (current)
    throw refuse(
      409,
      'Conflict',
      `There was a conflict restoring the ${singular[collection]} '${object.name}': it exists.`,
    );
  request.vault[collection][object.name.toLowerCase()] = object;
  request.exchange.entry.effective = true;
  return object;
}
