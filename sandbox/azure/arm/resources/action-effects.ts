import type { Json } from '../../json.ts';
import type { RecordedAction } from '../answers/recorded-answers.ts';
import { putAt } from './put-at.ts';
import type { StoredResource } from './stored-resources.ts';

/** Gives the members that the action sets their values, and keeps those for later writes of the resource. */
export function setEffects({ body, system }: StoredResource, sets: RecordedAction['sets'] = {}): void {
  if (Object.keys(sets).length === 0) return;
  system['effects'] = { ...(system['effects'] as Json | undefined), ...sets };
  keepEffects(body, system);
}

/** A stopped app stays stopped when somebody writes it. */
export function keepEffects(body: Json, system: Json): void {
  for (const [path, value] of Object.entries((system['effects'] as Json | undefined) ?? {})) putAt(body, path, value);
}
