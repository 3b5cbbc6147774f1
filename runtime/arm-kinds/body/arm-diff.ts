import { sameResourceId } from '../../azure/arm/resource-ids.ts';
import { isObject } from '../../base/json.ts';
import { SecretValue } from '../secret-value.ts';
import { EnumWord } from './enum-values.ts';
import { SharedList } from './shared-list.ts';

/** One declared field that Azure shows differently. Without values, which do not belong in a log. */
export interface Difference {
  readonly path: string;
  /** Absent: Azure shows nothing at this place. */
  readonly kind: 'absent' | 'different';
  /** The value in Azure, for the fingerprint of a difference that stays. */
  readonly live: unknown;
}

/**
 * The differences of a resource in Azure from its declaration. Only declared fields count; a collection declared empty
 * equals an absent one; ARM ids, regions and words of enumerations are compared as Azure does; lists of values without
 * regard to order.
 * Secrets cannot be seen in Azure and are left out.
 */
export function armDiff(wanted: unknown, live: unknown, path = ''): Difference[] {
  if (wanted === undefined || wanted instanceof SecretValue) return [];
  if (wanted instanceof SharedList) {
    return armDiff(wanted.items, Array.isArray(live) ? wanted.ownAmong(live) : live, path);
  }
  if (wanted instanceof EnumWord) return wanted.is(live) ? [] : armDiff(wanted.text, live, path);
  if (isEmpty(wanted) && isEmpty(live)) return [];
  // Members decide one by one: an absent object whose members cannot be seen anyway is no difference.
  if (isEmpty(live) && !isObject(wanted)) return [{ path, kind: 'absent', live: undefined }];
  if (isObject(wanted)) {
    if (isEmpty(live))
      return Object.entries(wanted).flatMap(([name, member]) => armDiff(member, undefined, join(path, name)));
    if (!isObject(live)) return [{ path, kind: 'different', live }];
    if (isEmpty(wanted)) return path === '' || isMapOfIds(live) ? [] : emptyDiff(live, path);
    return Object.entries(wanted).flatMap(([name, member]) => armDiff(member, memberOf(live, name), join(path, name)));
  }
  if (Array.isArray(wanted)) return listDiff(wanted, live, path);
  if (wanted === null) return emptyDiff(live, path);
  return sameValue(wanted, live, path) ? [] : [{ path, kind: 'different', live }];
}

const join = (path: string, name: string) => (path === '' ? name : `${path}.${name}`);

/** Something is there where nothing is declared on purpose. */
function emptyDiff(live: unknown, path: string): Difference[] {
  return isEmpty(live) ? [] : [{ path, kind: 'different', live }];
}

function listDiff(wanted: readonly unknown[], live: unknown, path: string): Difference[] {
  if (!Array.isArray(live) || wanted.length !== live.length) return [{ path, kind: 'different', live }];
  const left = [...live];
  for (const item of wanted) {
    const index = left.findIndex((candidate) => armDiff(item, candidate, '[]').length === 0);
    if (index < 0) return [{ path, kind: 'different', live }];
    left.splice(index, 1);
  }
  return [];
}

function sameValue(wanted: unknown, live: unknown, path: string): boolean {
  if (wanted === live) return true;
  if (typeof wanted !== 'string' || typeof live !== 'string') return false;
  if (/^\/(subscriptions|providers)\//i.test(wanted)) return sameResourceId(wanted, live);
  return /(^|\.)location$/i.test(path) && sameRegion(wanted, live);
}

/** `West Europe` and `westeurope` are one region. */
export function sameRegion(a: string, b: string): boolean {
  const plain = (region: string) => region.replaceAll(' ', '').toLowerCase();
  return plain(a) === plain(b);
}

/** Members are found ignoring case: ARM is not consistent in it, and keys that are ids have none. */
function memberOf(object: Record<string, unknown>, name: string): unknown {
  if (name in object) return object[name];
  const lower = name.toLowerCase();
  return Object.entries(object).find(([other]) => other.toLowerCase() === lower)?.[1];
}

function isMapOfIds(value: unknown): boolean {
  return isObject(value) && Object.keys(value).some((key) => key === 'principalId' || key === 'clientId');
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (value instanceof SecretValue) return false;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
