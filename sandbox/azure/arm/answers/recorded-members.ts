import { createHash } from 'node:crypto';
import { type Json, stringOf } from '../../json.ts';
import type { Behaviour, WriteContext } from '../behaviour.ts';
import { etagText } from '../resources/resource-content.ts';
import { complete, type TemplateNames } from './complete.ts';
import { recordedAnswers } from './recorded-answers.ts';

/** An address for documentation and examples, the same for the same resource. */
function publicAddressOf(id: string): string {
  const [a = 0, b = 0, c = 0] = createHash('sha256').update(id.toLowerCase()).digest();
  return [20, a, b, 1 + (c % 254)].join('.');
}

/** Adds to a written body what Azure adds for the type and api-version. Members of the request stay. */
export function addRecordedMembers(body: Json, id: string, context: WriteContext, behaviour: Behaviour): void {
  const { path, apiVersion, existing, ids, now, system } = context;
  const names: TemplateNames = {
    id,
    location: stringOf(body['location']),
    etag: etagText(stringOf(system['etag']), behaviour),
    time: new Date(now).toISOString(),
    uuid: () => ids.uuid(),
    publicAddress: publicAddressOf(id),
  };
  for (const { members } of recordedAnswers(path.type, apiVersion)) complete(body, members, names, existing?.body);
}
