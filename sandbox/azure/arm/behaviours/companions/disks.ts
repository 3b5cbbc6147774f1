import { at, type Json, stringOf } from '../../../json.ts';
import type { BehaviourRow, WriteContext } from '../../behaviour.ts';

const bytesOfGigabyte = 1024 ** 3;

/** The size of a disk or snapshot: what was asked for, else that of its source; unknown sources stay as recorded. */
function sizeOf({ request, state }: WriteContext): Json {
  const source = state.resources.get(stringOf(at(request, 'properties.creationData.sourceResourceId')));
  const size = at(request, 'properties.diskSizeGB') ?? at(source?.body, 'properties.diskSizeGB');
  if (typeof size === 'number') return { properties: { diskSizeGB: size, diskSizeBytes: size * bytesOfGigabyte } };
  const uploaded = at(request, 'properties.creationData.uploadSizeBytes');
  // The size of an upload has a footer of 512 bytes.
  return typeof uploaded === 'number' ? { properties: { diskSizeBytes: uploaded - 512 } } : {};
}

/** Disks and snapshots of Microsoft.Compute. */
export const diskBehaviours: readonly BehaviourRow[] = ['disks', 'snapshots'].map((type) => ({
  type: `Microsoft.Compute/${type}`,
  computed: sizeOf,
}));
