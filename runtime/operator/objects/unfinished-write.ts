import { serializedResource } from '../../arm-kinds/extensions/serialized-writes.ts';
import { annotations } from '../../arm-kinds/names.ts';
import { type Journal, parseJournal } from '../../engine/index.ts';
import type { KubeObject } from '../../kube/client/types.ts';

/** Whether the journal has a write whose end is not known. */
export function isWriting(journal: Journal | undefined): boolean {
  return ['submit', 'delete'].some((name) => {
    const state = journal?.blocks[name]?.state;
    return state === 'Polling' || state === 'Running';
  });
}

/** The resource whose turn the object may hold, by its annotations; only an authenticated object proves it. */
export function writtenResource({ metadata: { annotations: objectAnnotations = {} } }: KubeObject): string | undefined {
  const journal = objectAnnotations[annotations.journal];
  const id = objectAnnotations[annotations.resourceId];
  if (journal === undefined || id === undefined || !/"state":"(Polling|Running)"/.test(journal)) return undefined;
  return isWriting(parseJournal(journal)) ? serializedResource(id) : undefined;
}
