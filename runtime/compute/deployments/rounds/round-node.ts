/** The step of a run that reads the answers which decide about its next round. */
import { jsonHash } from '../../../base/json.ts';
import type { LightNode } from '../desired-graph.ts';
import { nodeKey } from '../references.ts';
import type { Decision } from './expand-round.ts';

const keyOf = (location: string) => nodeKey('azimuth.dev', 'TemplateRound', location);

/** Whether the key is that of the step, which has no object. */
export const isRoundKey = (key: string): boolean => key.startsWith(keyOf(''));

/** The step of one location, after all resources whose answers it reads. */
export function roundNode(location: string, { needed }: Decision): LightNode {
  const keys = needed.flatMap(({ key }) => (key === '' ? [] : key));
  return { key: keyOf(location), location, pipeline: 'other', hash: jsonHash(needed), dependsOn: keys };
}
