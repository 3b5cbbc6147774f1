import { isObject } from '../../base/json.ts';
import { onOneLine } from '../../base/text/printable.ts';
import type { KubeObject } from '../../kube/client/types.ts';
import type { RawLink } from './links.ts';
import { type Link, mostLinks, type Row, rowId } from './row.ts';
import { type ObjectState, stateOf } from './state.ts';

/** Characters of a message in a row; a detail shows more. */
export const rowMessageLength = 300;
/** Longest name of an object (DNS subdomain). */
const nameLength = 253;
/** Characters of the links of a row: a page holds the rows of all namespaces. The first link is always there. */
const mostLinkCharacters = 8192;

/** A text of somebody else for people: cut, on one line, and without characters that a terminal or page acts on. */
export function shown(value: unknown, most: number): string {
  if (typeof value !== 'string') return '';
  return onOneLine(value.length > most ? `${value.slice(0, most)}...` : value);
}

/** The row of an object. `state` replaces the state of its Ready condition. */
export function rowOf(object: KubeObject, links: readonly RawLink[], state: ObjectState = stateOf(object)): Row {
  const { apiVersion, kind, metadata } = object;
  const group = apiVersion.includes('/') ? (apiVersion.split('/', 1)[0] ?? '') : '';
  const name = shown(metadata.name, nameLength);
  const namespace = shown(metadata.namespace, nameLength);
  const spec: unknown = object['spec'];
  const status: unknown = object['status'];
  return {
    id: rowId(group, kind, namespace, name),
    group,
    kind,
    namespace,
    name,
    state: state.state,
    reason: shown(state.reason, 100),
    message: shown(state.message, rowMessageLength),
    location: shown(isObject(spec) ? spec['location'] : undefined, 64),
    armId: shown(isObject(status) ? status['id'] : undefined, 1024),
    created: shown(metadata.creationTimestamp, 40),
    links: distinct(links),
  };
}

function distinct(links: readonly RawLink[]): Link[] {
  const found = new Map<string, Link>();
  let characters = 0;
  // However many references there are, none takes the place of the owner.
  const owners = links.filter(({ type }) => type === 'owner');
  const others = links.filter(({ type }) => type !== 'owner');
  for (const { type, ...raw } of [...owners, ...others]) {
    if (found.size >= mostLinks) break;
    const [group, kind, namespace, name] = [raw.group, raw.kind, raw.namespace, raw.name].map((text) =>
      shown(text, nameLength),
    ) as [string, string, string, string];
    const to = rowId(group, kind, namespace, name);
    if (found.has(to)) continue;
    const text = `${kind}/${name}`;
    characters += to.length + text.length;
    if (found.size > 0 && characters > mostLinkCharacters) break;
    found.set(to, { type, to, text });
  }
  return [...found.values()];
}
