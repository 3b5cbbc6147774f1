import type { StoredResource } from '../arm/resources/stored-resources.ts';
import type { Exchange, Reply } from '../exchange.ts';
import { type Refusal, refuse } from '../exchange.ts';
import type { Ids } from '../ids.ts';
import { type Json, objectOf } from '../json.ts';
import type { KeyAndCertificate } from '../pki.ts';
import type { VaultCollection, VaultData, VaultObject, VaultVersion } from '../state.ts';

/** One authenticated request to one vault. */
export interface VaultRequest {
  readonly exchange: Exchange;
  readonly vault: VaultData;
  readonly resource: StoredResource;
  readonly ids: Ids;
  /** Signs the certificates of issuers that have a name. */
  readonly ca: KeyAndCertificate | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Milliseconds a certificate takes to be issued. */
  readonly operationMs: number;
  readonly body: Json;
  /** Path segments after the collection. */
  readonly rest: readonly string[];
  /** Refuses unless the caller may do this. */
  demand(permission: Permission, name?: string): void;
}

/** A right on a collection, in the words of access policies. */
export interface Permission {
  readonly collection: VaultCollection;
  readonly right: string;
}

/** Answers to one path below a collection; undefined where the path means nothing. */
export type VaultHandler = (request: VaultRequest) => Reply | undefined | Promise<Reply | undefined>;

/** The singular of a collection's name, for messages. */
export const singular = { secrets: 'secret', keys: 'key', certificates: 'certificate' } as const;

const mostTags = 15;

const capital = (word: string) => word[0]?.toUpperCase() + word.slice(1);

/** 400 `BadParameter`. */
export const badParameter = (message: string): Refusal => refuse(400, 'BadParameter', message);

/** 404 for an object that the vault does not have. */
export function objectMissing(collection: VaultCollection, name: string): Refusal {
  const kind = singular[collection];
  return refuse(
    404,
    `${capital(kind)}NotFound`,
    `A ${kind} with (name/id) ${name} was not found in this key vault. If you recently deleted this ${kind} you may be able to recover it using the correct recovery command. For help resolving this issue, please see https://go.microsoft.com/fwlink/?linkid=2125182`,
  );
}

/** Refuses to reuse the name of a deleted object. */
export function refuseDeleted(collection: VaultCollection, object: VaultObject | undefined): void {
  if (object?.deletedAt === undefined) return;
  const kind = capital(singular[collection]);
  throw refuse(
    409,
    'Conflict',
    `${kind} ${object.name} is currently in a deleted but recoverable state, and its name cannot be reused; in this state, the ${kind.toLowerCase()} can only be recovered or purged.`,
    { innererror: { code: 'ObjectIsDeletedButRecoverable' } },
  );
}

/** The object under this name that is not deleted. */
export function live(request: VaultRequest, collection: VaultCollection, name: string): VaultObject {
  const object = request.vault[collection][name.toLowerCase()];
  if (!object || object.deletedAt !== undefined || object.versions.length === 0) throw objectMissing(collection, name);
  return object;
}

/** A version of it; the newest where none is named. */
export function versionOf(collection: VaultCollection, object: VaultObject, version?: string): VaultVersion {
  const found = version ? object.versions.find((candidate) => candidate.version === version) : object.versions.at(-1);
  if (!found) throw objectMissing(collection, `${object.name}/${version}`);
  return found;
}

/** Adds a version, creating the object where needed. */
export function addVersion(
  request: VaultRequest,
  collection: VaultCollection,
  name: string,
  version: VaultVersion,
): VaultObject {
  const objects = request.vault[collection];
  const object = objects[name.toLowerCase()] ?? { name, versions: [] };
  refuseDeleted(collection, object);
  objects[name.toLowerCase()] = object;
  object.versions.push(version);
  request.exchange.entry.effective = true;
  return object;
}

/** A version with the attributes and tags of a request. */
export function newVersion(request: VaultRequest, version = request.ids.hex(32)): VaultVersion {
  const now = Math.floor(request.now / 1000);
  const result: VaultVersion = { version, enabled: true, created: now, updated: now };
  updateVersion(request, result);
  return result;
}

/** Applies `attributes`, `tags` and `contentType` of the body. */
export function updateVersion(request: VaultRequest, version: VaultVersion): void {
  const { attributes, tags, contentType } = request.body;
  const { enabled, nbf, exp } = objectOf(attributes);
  if (typeof enabled === 'boolean') version.enabled = enabled;
  if (typeof nbf === 'number') version.nbf = nbf;
  if (typeof exp === 'number') version.exp = exp;
  if (version.nbf !== undefined && version.exp !== undefined && version.nbf >= version.exp) {
    throw badParameter('The value of the "exp" attribute must be later than that of "nbf".');
  }
  if (Object.keys(objectOf(tags)).length > mostTags) {
    throw badParameter(`The number of tags exceeds the limit: at most ${mostTags} tags are allowed.`);
  }
  if (typeof tags === 'object' && tags !== null) version.tags = tags as Record<string, string>;
  if (typeof contentType === 'string') version.contentType = contentType;
  version.updated = Math.floor(request.now / 1000);
}

/** Attributes as every bundle shows them; times are Unix seconds. */
export function attributesOf(request: VaultRequest, version: VaultVersion): Json {
  const { enabled, nbf, exp, created, updated } = version;
  const properties = objectOf(request.resource.body['properties']);
  const guarded = properties['enablePurgeProtection'] === true;
  return {
    enabled,
    ...(nbf === undefined ? {} : { nbf }),
    ...(exp === undefined ? {} : { exp }),
    created,
    updated,
    recoveryLevel: guarded ? 'Recoverable' : 'Recoverable+Purgeable',
    recoverableDays: Number(properties['softDeleteRetentionInDays'] ?? 90),
  };
}

/** An identifier of the data plane: a URL below the vault's address. */
export const idOf = (request: VaultRequest, ...parts: string[]): string =>
  `${request.exchange.origin}/${parts.join('/')}`;

/** A page of a list: `maxresults` 1..25, nextLink absolute. */
export function vaultPage(request: VaultRequest, items: readonly Json[]): Reply {
  const { query, url } = request.exchange;
  const wanted = Number(query.get('maxresults') ?? 25);
  if (!Number.isInteger(wanted) || wanted < 1 || wanted > 25)
    throw badParameter('maxresults must be between 1 and 25.');
  const start = Number(Buffer.from(query.get('$skiptoken') ?? '', 'base64url').toString('utf8')) || 0;
  const next = new URL(url);
  next.searchParams.set('$skiptoken', Buffer.from(String(start + wanted)).toString('base64url'));
  const value = items.slice(start, start + wanted);
  return { status: 200, body: { value, nextLink: start + wanted < items.length ? next.toString() : null } };
}
