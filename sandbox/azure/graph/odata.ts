import type { Exchange } from '../exchange.ts';
import { refuse } from '../exchange.ts';
import { type Json, stringOf } from '../json.ts';
import { malformed } from './graph-errors.ts';

/** Tells whether an object is in the answer. */
export type Filter = (object: Json) => boolean;

const clause =
  /^(?:(?<equal>\w+) eq '(?<value>(?:[^']|'')*)'|startswith\((?<begin>\w+), ?'(?<prefix>(?:[^']|'')*)'\)|(?<list>\w+)\/any\((?<each>\w+): ?\k<each> eq '(?<element>(?:[^']|'')*)'\))(?<more> and |$)/i;

/**
 * The `$filter` of a query: `<property> eq '<text>'`, `startswith(<property>,'<text>')` and `<list>/any(x:x eq '<text>')`,
 * joined by `and`. A quote in a text is doubled. The directory compares texts without regard to case. Throws 400 for any
 * other form, and for a property of `type` that is not in `properties`.
 */
export function filterOf(text: string | null, properties: readonly string[], type: string): Filter {
  const filters: Filter[] = [];
  let rest = text;
  while (rest !== null) {
    const match = clause.exec(rest);
    if (!match) throw malformed(`Invalid filter clause: syntax error in '${text}'.`);
    const { equal, value, begin, prefix, list, element, more } = match.groups ?? {};
    rest = more === '' ? null : rest.slice(match[0].length);
    const property = equal ?? begin ?? list ?? '';
    if (!properties.includes(property)) throw unsupported(property, type);
    const operand = unquoted(value ?? prefix ?? element ?? '').toLowerCase();
    const fits = (found: unknown) => {
      const lower = stringOf(found).toLowerCase();
      return begin === undefined ? lower === operand : lower.startsWith(operand);
    };
    filters.push(({ [property]: found }) =>
      Array.isArray(found) ? list !== undefined && found.some(fits) : fits(found),
    );
  }
  return (object) => filters.every((filter) => filter(object));
}

const unsupported = (property: string, type: string) =>
  refuse(
    400,
    'Request_UnsupportedQuery',
    `Unsupported or invalid query filter clause specified for property '${property}' of resource '${type[0]?.toUpperCase()}${type.slice(1)}'.`,
  );

const unquoted = (text: string) => text.replaceAll("''", "'");

/** A key in a path, as `(uniqueName='…')`; undefined for another form. */
export function alternateKey(segment: string): string | undefined {
  const value = /^\(uniqueName='((?:[^']|'')*)'\)$/i.exec(segment)?.[1];
  return value === undefined ? undefined : unquoted(value);
}

/** The members that `$select` names, all without it. Throws 400 for a member that `type` does not have. */
export function selected({ query }: Exchange, object: Json, type: string): Json {
  const names = query.get('$select')?.split(',') ?? Object.keys(object);
  const unknown = names.find((name) => !(name in object));
  if (unknown !== undefined) {
    throw malformed(`Could not find a property named '${unknown}' on type 'microsoft.graph.${type}'.`);
  }
  return Object.fromEntries(names.map((name) => [name, object[name]]));
}

/** A page of a collection with `$top` objects (100 where it is absent) and the link to the next one. */
export function pageOf({ query, url, origin }: Exchange, objects: readonly Json[], collection: string): Json {
  const top = Number(query.get('$top') ?? 100);
  if (!Number.isInteger(top) || top < 1 || top > 999) {
    throw malformed(`Invalid page size specified: '${query.get('$top')}'. Must be between 1 and 999 inclusive.`);
  }
  const start = Number(Buffer.from(query.get('$skiptoken') ?? '', 'base64url').toString('utf8')) || 0;
  const next = new URL(url);
  next.searchParams.set('$skiptoken', Buffer.from(String(start + top)).toString('base64url'));
  return {
    '@odata.context': `${origin}/v1.0/$metadata#${collection}`,
    ...(start + top < objects.length ? { '@odata.nextLink': next.toString() } : {}),
    value: objects.slice(start, start + top),
  };
}
