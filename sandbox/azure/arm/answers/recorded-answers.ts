import type { Json } from '../../json.ts';
import documented from './documented-actions.json' with { type: 'json' };
import newer from './generated/newer.json' with { type: 'json' };
import older from './generated/older.json' with { type: 'json' };

/** The kinds of writes that a provider answers differently; repeat: a PUT that changes nothing. */
export type WriteKind = 'create' | 'update' | 'repeat' | 'patch' | 'remove';

/** What Azure was seen to answer for a type; tools/answers writes it. */
export interface RecordedAnswers extends Partial<Readonly<Record<WriteKind, string>>> {
  /** The api-versions that clients asked for. */
  readonly versions: readonly string[];
  readonly etag?: 'weak' | 'plain';
  /** Members that Azure adds; `name?` holds what it adds to a member that is there. */
  readonly members: Json;
  /** POST actions by their names in lower case. */
  readonly actions?: Readonly<Record<string, RecordedAction>>;
}

/** What Azure answers to a POST action, and what is behind the operation that it starts. */
export interface RecordedAction {
  readonly shape: string;
  readonly answer?: Json;
  readonly result?: Json;
  /** Members of the resource, by their dotted paths, that have these values after the action. */
  readonly sets?: Json;
}

type Table = Readonly<Record<string, RecordedAnswers>>;
/** Actions that no recording has, or not all of. They follow Azure's public reference; no recording has checked them. */
const documentedActions: Readonly<Record<string, RecordedAnswers['actions']>> = documented;
const tables = { older: older as unknown as Table, newer: newer as unknown as Table };

/** The answers for a type, those of the nearer api-version first. */
export function recordedAnswers(type: string, apiVersion: string): readonly RecordedAnswers[] {
  const key = type.toLowerCase();
  const [old, recent] = [tables.older[key], tables.newer[key]];
  const first = recent?.versions[0];
  const isRecent = first !== undefined && apiVersion.slice(0, 10) >= first.slice(0, 10);
  return (isRecent ? [recent, old] : [old, recent]).filter((answers) => answers !== undefined);
}

/** The POST action of a type, by any case of its name; recordings come before Azure's reference. */
export function recordedAction(type: string, name: string): RecordedAction | undefined {
  const key = name.toLowerCase();
  const recorded = recordedAnswers(type, '').find(({ actions }) => actions?.[key] !== undefined)?.actions?.[key];
  const described = documentedActions[type.toLowerCase()]?.[key];
  return described && recorded ? { ...described, ...recorded } : (described ?? recorded);
}

/** Every type that was seen, in lower case; without the configurations of apps. */
export const recordedTypes = (): readonly string[] =>
  [...new Set(Object.values(tables).flatMap((table) => Object.keys(table)))].filter((type) => !type.includes('#'));

/** The POST actions of a type that have an answer as data, in lower case. */
export const recordedActions = (type: string): readonly string[] => [
  ...recordedAnswers(type, '').flatMap(({ actions }) => Object.keys(actions ?? {})),
  ...Object.keys(documentedActions[type.toLowerCase()] ?? {}),
];

/** The key of a type's members; the configurations of an app have a type in common, and no members. */
export const memberKey = (type: string, name: string): string =>
  /\/config$/i.test(type) ? `${type}#${name}`.toLowerCase() : type.toLowerCase();

/** Whether the type shows an etag, and in which form. */
export function recordedEtag(type: string): 'weak' | 'plain' | undefined {
  return recordedAnswers(type, '').find(({ etag }) => etag !== undefined)?.etag;
}

/** The api-versions that clients of the type were seen to ask for. */
export const recordedVersions = (type: string): readonly string[] =>
  recordedAnswers(type, '').flatMap(({ versions }) => versions);

/** How most types of the namespace at the same depth answer; undefined for a namespace that was never seen. */
export function usualShape(type: string, kind: WriteKind): string | undefined {
  const [namespace = '', ...rest] = type.toLowerCase().split('/');
  // Groups, deployments and the other types of the platform itself have nothing in common.
  if (namespace === 'microsoft.resources') return undefined;
  const shapes = [tables.older, tables.newer].flatMap((table) =>
    Object.entries(table).flatMap(([each, answers]) => {
      const [of, ...types] = each.split('/');
      const shape = answers[kind];
      return of === namespace && types.length === rest.length && shape !== undefined ? [shape] : [];
    }),
  );
  return [...Map.groupBy(shapes, (shape) => shape)].sort(([, a], [, b]) => b.length - a.length)[0]?.[0];
}
