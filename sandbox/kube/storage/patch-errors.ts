import { badRequest, StatusError } from '../status.ts';
import { type ApplyConflict, PatchError } from '../types.ts';

/** Runs a patch; one that cannot be applied becomes the Status the API server answers. */
export function patched<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    if (error.problem === 'malformed') throw badRequest(error.message);
    if (error.problem === 'unsupported') throw new StatusError(415, 'UnsupportedMediaType', error.message);
    throw new StatusError(422, 'Invalid', 'the server rejected our request due to an error in our request', {
      details: {},
    });
  }
}

/** 409 with a cause for each field that another manager owns. */
export function applyConflict(conflicts: readonly ApplyConflict[]): StatusError {
  const [first] = conflicts;
  let text = `conflict with ${first?.manager}: ${first?.field}`;
  if (conflicts.length > 1) {
    const byManager = Map.groupBy(conflicts, ({ manager }) => manager);
    text = [...byManager]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([manager, fields]) => [`conflicts with ${manager}:`, ...fields.map(({ field }) => `- ${field}`)].join('\n'))
      .join('\n');
  }
  const count = `${conflicts.length} conflict${conflicts.length === 1 ? '' : 's'}`;
  return new StatusError(409, 'Conflict', `Apply failed with ${count}: ${text}`, {
    details: {
      causes: conflicts.map(({ manager, field }) => ({
        reason: 'FieldManagerConflict',
        message: `conflict with ${manager}`,
        field,
      })),
    },
  });
}
