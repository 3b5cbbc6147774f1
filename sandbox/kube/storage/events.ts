import type { Unstructured } from '../model/types.ts';

/** Members of core/v1 Event and their names in events.k8s.io/v1. All others have one name in both. */
const renamed: readonly (readonly [core: string, current: string])[] = [
  ['involvedObject', 'regarding'],
  ['message', 'note'],
  ['source', 'deprecatedSource'],
  ['firstTimestamp', 'deprecatedFirstTimestamp'],
  ['lastTimestamp', 'deprecatedLastTimestamp'],
  ['count', 'deprecatedCount'],
  ['reportingComponent', 'reportingController'],
];
const toCurrent = new Map(renamed);
const toCore = new Map(renamed.map(([core, current]) => [current, core]));

const rename = (event: Unstructured, names: ReadonlyMap<string, string>, apiVersion: string): Unstructured => {
  const entries = Object.entries(event).map(([member, value]) => [names.get(member) ?? member, value]);
  return { ...Object.fromEntries(entries), apiVersion };
};

/** Both APIs share one store, in the core shape. */
export const eventToCore = (event: Unstructured): Unstructured => rename(event, toCore, 'v1');
/** The events.k8s.io/v1 representation of a core/v1 Event. */
export const eventFromCore = (event: Unstructured): Unstructured => rename(event, toCurrent, 'events.k8s.io/v1');
