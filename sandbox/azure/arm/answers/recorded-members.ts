import { createHash } from 'node:crypto';
import { type Json, stringOf } from '../../json.ts';
import type { ActionContext, Behaviour, BehaviourContext, WriteContext } from '../behaviour.ts';
import { etagText } from '../resources/resource-content.ts';
import { complete, type TemplateNames } from './complete.ts';
import { addDependentMembers } from './dependent-members.ts';
import { memberKey, recordedAnswers } from './recorded-answers.ts';

/** An address for documentation and examples, the same for the same resource. */
function publicAddressOf(id: string): string {
  const [a = 0, b = 0, c = 0] = createHash('sha256').update(id.toLowerCase()).digest();
  return [20, a, b, 1 + (c % 254)].join('.');
}

/** The body of a POST action's answer that was recorded. */
export function recordedBody(members: Json | undefined, context: ActionContext): unknown {
  if (members === undefined) return undefined;
  const { resource, path } = context;
  const body: Json = {};
  const names = namesOf(resource.id, resource.body, stringOf(resource.system['etag']), context);
  complete(body, members, { ...names, argument: path.argument ?? '' });
  return body;
}

/** Adds to a written body what Azure adds for the type and api-version. Members of the request stay. */
export function addRecordedMembers(body: Json, id: string, context: WriteContext, behaviour: Behaviour): void {
  const { path, apiVersion, existing, system } = context;
  const names = namesOf(id, body, etagText(stringOf(system['etag']), behaviour), context);
  const answers = recordedAnswers(memberKey(path.type, path.name), apiVersion);
  // Every recorded client sent properties; where one sends none, the nearer api-version has its say first.
  if (answers.some(({ members }) => members['properties?'] !== undefined)) body['properties'] ??= {};
  addDependentMembers(body, path.type, names);
  for (const { members } of answers) complete(body, members, names, existing?.body);
}

function namesOf(id: string, body: Json, etag: string, { ids, now }: BehaviourContext): TemplateNames {
  return {
    id,
    location: stringOf(body['location']),
    etag,
    time: new Date(now).toISOString(),
    uuid: () => ids.uuid(),
    publicAddress: publicAddressOf(id),
    random: createHash('sha256').update(id.toLowerCase()).digest('hex').slice(0, 26),
  };
}
