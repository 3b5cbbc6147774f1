import type { StoredResource } from '../arm/resources/stored-resources.ts';
import type { Exchange } from '../exchange.ts';
import type { Ids } from '../ids.ts';
import type { SandboxState } from '../state.ts';
import type { Need } from './access/needs.ts';

/** The services of a storage account with a data plane here. */
export type StorageService = 'blob' | 'queue';

/** One authenticated request to an account. */
export interface StorageCall {
  readonly exchange: Exchange;
  readonly account: StoredResource;
  /** Path segments below the account, with the container `$root` where the path leaves it out. */
  readonly names: readonly string[];
  /** The address of the account's service, without trailing slash. */
  readonly address: string;
  readonly state: SandboxState;
  readonly ids: Ids;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Object id of the caller, where it has a token. */
  readonly principalId: string | undefined;
  /** Throws Azure's refusal unless the caller may do this. */
  demand(need: Need): void;
  /** The call that a URL of this sandbox means, with the rights that the URL or this caller has. */
  other(url: string, authorization?: string): Promise<StorageCall | undefined>;
  /** A part of a batch: another method, path, query and headers to the same account. */
  part(method: string, target: string, headers: Readonly<Record<string, string>>): Promise<StorageCall>;
}

/** A request header. */
export const header = (call: StorageCall, name: string): string | undefined => call.exchange.headers[name];

/** A query parameter. */
export const parameter = (call: StorageCall, name: string): string | undefined =>
  call.exchange.query.get(name) ?? undefined;

/** A time as headers have it. */
export const httpDate = (ms: number): string => new Date(ms).toUTCString();

/** A time with seven digits of a second, as snapshots and keys have it. */
export const longDate = (ms: number): string => new Date(ms).toISOString().replace('Z', '0000Z');

/** A new etag, without quotes. */
export const newEtag = (ids: Ids): string => `0x8D${ids.hex(13).toUpperCase()}`;

/** `x-ms-meta-*` of the request. */
export function metadataOf(call: StorageCall): Record<string, string> {
  const entries = Object.entries(call.exchange.headers).filter(([name]) => name.startsWith('x-ms-meta-'));
  return Object.fromEntries(entries.map(([name, value]) => [name.slice('x-ms-meta-'.length), value ?? '']));
}

/** Metadata as headers of an answer. */
export const metadataHeaders = (metadata: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(metadata).map(([name, value]) => [`x-ms-meta-${name}`, value]));

/** `maxresults` and `marker` of a list: the items of this page, and the marker of the next one. */
export function pageOf<T>(call: StorageCall, items: readonly T[]): { page: readonly T[]; next: string } {
  const size = Math.min(Number(parameter(call, 'maxresults')) || 5000, 5000);
  const start = Number(Buffer.from(parameter(call, 'marker') ?? '', 'base64url').toString()) || 0;
  const end = start + size;
  const next = end < items.length ? Buffer.from(String(end)).toString('base64url') : '';
  return { page: items.slice(start, end), next };
}
