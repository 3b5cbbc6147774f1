import { present } from '../model/resource.ts';
import { badRequest, expired, futureVersion, internal, invalidOptions } from '../model/status.ts';
import { HistoryExpired, type Store } from '../model/store.ts';
import type { Unstructured } from '../model/types.ts';
import type { Selection } from './selection.ts';

/** The parameters of a LIST. */
export interface ListQuery {
  /** 0 = everything. */
  readonly limit: number;
  readonly continue: string;
  readonly resourceVersion: string;
  readonly resourceVersionMatch: string;
}

/** A page of a LIST. */
export interface ListResult {
  readonly items: Unstructured[];
  readonly metadata: { resourceVersion: string; continue?: string; remainingItemCount?: number };
}

interface Token {
  readonly v: 'meta.k8s.io/v1';
  /** -1 = whatever is current: the list is then not consistent across pages. */
  readonly rv: number;
  readonly start: string;
}

const encode = (token: Token) => Buffer.from(JSON.stringify(token)).toString('base64url');

function decode(text: string): Token {
  let token: Token;
  try {
    token = JSON.parse(Buffer.from(text, 'base64url').toString()) as Token;
  } catch (error) {
    throw badRequest(`invalid continue token: continue key is not valid: ${(error as Error).message}`);
  }
  if (token?.v !== 'meta.k8s.io/v1' || typeof token.start !== 'string' || !Number.isInteger(token.rv))
    throw badRequest(
      'invalid continue token: continue key is not valid: server does not recognize this encoded version',
    );
  return token;
}

/** A resourceVersion of a request; undefined for ''. Throws 500 with the API server's words. */
export function parseRevision(text: string): number | undefined {
  if (text === '') return undefined;
  if (!/^\d+$/.test(text))
    throw internal(`resourceVersion: Invalid value: "${text}": strconv.ParseUint: parsing "${text}": invalid syntax`);
  return Number(text);
}

/** One page, all of it from one revision. A page whose revision the history no longer covers is refused with 410. */
export function list(store: Store, selected: Selection, query: ListQuery): ListResult {
  const { resource } = selected;
  const token = query.continue ? decode(query.continue) : undefined;
  const revision = listRevision(store, query, token);
  let entries: [string, Unstructured][];
  try {
    entries = store.entriesAt(resource.bucket, revision);
  } catch (error) {
    if (!(error instanceof HistoryExpired)) throw error;
    if (!token) throw expired(`The resourceVersion for the provided list is too old.`);
    throw expired(
      'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.',
      encode({ v: 'meta.k8s.io/v1', rv: -1, start: token.start }),
    );
  }
  const rest = entries.filter(([key, object]) => (!token || key > token.start) && selected.matches(object));
  const page = query.limit > 0 ? rest.slice(0, query.limit) : rest;
  const metadata: ListResult['metadata'] = { resourceVersion: String(revision) };
  if (page.length < rest.length) {
    metadata.continue = encode({ v: 'meta.k8s.io/v1', rv: revision, start: page.at(-1)?.[0] ?? '' });
    // As in etcd's answer, which counts keys, the number is left out where selectors decide.
    if (!selected.filtered) metadata.remainingItemCount = rest.length - page.length;
  }
  return { items: page.map(([, object]) => present(resource, object)), metadata };
}

function listRevision(store: Store, query: ListQuery, token: Token | undefined): number {
  const asked = parseRevision(query.resourceVersion);
  const match = query.resourceVersionMatch;
  const refuse = (message: string) =>
    invalidOptions('ListOptions', {
      reason: 'FieldValueForbidden',
      message: `Forbidden: ${message}`,
      field: 'resourceVersionMatch',
    });
  if (match && match !== 'Exact' && match !== 'NotOlderThan')
    throw invalidOptions('ListOptions', {
      reason: 'FieldValueNotSupported',
      message: `Unsupported value: "${match}": supported values: "Exact", "NotOlderThan"`,
      field: 'resourceVersionMatch',
    });
  if (match && asked === undefined)
    throw refuse('resourceVersionMatch is forbidden unless resourceVersion is provided');
  if (match && token) throw refuse('resourceVersionMatch is forbidden when continue is provided');
  if (match === 'Exact' && asked === 0)
    throw refuse('resourceVersionMatch "exact" is forbidden for resourceVersion "0"');
  if (token) {
    if (asked !== undefined && asked !== 0)
      throw badRequest('specifying resource version is not allowed when using continue');
    return token.rv === -1 ? store.revision : token.rv;
  }
  if (asked !== undefined && asked > store.revision) throw futureVersion(asked, store.revision);
  return match === 'Exact' && asked !== undefined ? asked : store.revision;
}
