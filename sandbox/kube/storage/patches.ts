import { groupVersion } from '../model/resource.ts';
import { badRequest, conflict, StatusError } from '../model/status.ts';
import { type ApplyConflict, PatchError, type Unstructured } from '../model/types.ts';
import type { Target, WriteContext } from '../model/write-request.ts';
import { serverSideApply } from '../schema/apply/server-side-apply.ts';
import { checkAddress } from './addresses.ts';
import { normalize } from './metadata.ts';
import { prune, reportUnknown } from './write-steps.ts';

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
function applyConflict(conflicts: readonly ApplyConflict[]): StatusError {
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

/**
 * The object that a server-side apply of `body` gives, with its managed fields; `live` is the stored object, if there
 * is one. Throws 400 for a body that is no apply configuration of the target, and 409 for fields that another manager
 * owns.
 */
export function applied(
  target: Target,
  body: Unstructured,
  live: Unstructured | undefined,
  force: boolean,
  context: WriteContext,
  now: string,
): Unstructured {
  const { resource, namespace, name, subresource } = target;
  const apiVersion = groupVersion(resource);
  if (body['apiVersion'] !== apiVersion)
    throw badRequest(
      `Incorrect version specified in apply patch. Specified patch version: ${body['apiVersion'] ?? ''}, expected: ${apiVersion}`,
    );
  if (body['metadata']?.managedFields !== undefined) throw badRequest('metadata.managedFields must be nil');
  const sent = structuredClone(body);
  const unknown = normalize(resource, sent);
  sent['metadata'].name ??= name;
  if (resource.namespaced) sent['metadata'].namespace ??= namespace;
  checkAddress(target, sent);
  const unknownSpec = prune(resource, sent);
  const uid = sent['metadata'].uid;
  if (uid && uid !== live?.['metadata'].uid)
    throw conflict(
      resource,
      name,
      live
        ? `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${live['metadata'].uid}`
        : `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`,
    );
  const outcome = patched(() =>
    serverSideApply({
      live,
      applied: sent,
      manager: context.manager,
      force,
      apiVersion,
      subresource,
      schema: resource.schema.source,
      now,
    }),
  );
  if ('conflicts' in outcome) throw applyConflict(outcome.conflicts);
  reportUnknown(resource, [...unknown, ...unknownSpec], context);
  return structuredClone(outcome.object);
}
