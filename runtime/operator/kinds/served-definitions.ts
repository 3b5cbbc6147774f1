import { tryKindByResource } from '../../api/kinds.ts';
import { isOwnDefinition } from '../../api/own-definition.ts';
import type { KindDefinition } from '../../api/types.ts';
import { AzimuthError } from '../../base/errors.ts';
import type { WatchedCache } from '../../kube/cache/types.ts';
import { definitionsType } from '../../kube/client/core-types.ts';
import type { KubeObject } from '../../kube/client/types.ts';
import type { Manager } from '../../kube/controller/manager.ts';
import { objectOf } from '../../kube/controller/mappers.ts';

/** Of 300 definitions the operator needs to know the names, and whose they are. */
function projectDefinition({ apiVersion, kind, metadata }: KubeObject): KubeObject {
  const { name, uid, resourceVersion } = metadata;
  return { apiVersion, kind, metadata: { name, uid, resourceVersion }, own: isOwnDefinition(metadata) };
}

/**
 * Calls `serve` once for each of the kinds whose definition in the cluster is Azimuth's, now or later, so that a kind
 * without a definition costs nothing. It names other definitions of these kinds in the log, and leaves their objects
 * to the program that installed them. Where another program takes the definition of a served kind, the operator ends:
 * it starts again without the kind. Returns the cache of all definitions.
 */
export function serveDefined(
  manager: Manager,
  kinds: readonly KindDefinition[],
  serve: (kind: KindDefinition) => void,
): WatchedCache {
  const knownKinds = new Set(kinds);
  const served = new Set<KindDefinition>();
  const taken = Promise.withResolvers<never>();
  taken.promise.catch(() => undefined);
  let foreign: string[] = [];
  const report = () => {
    if (foreign.length === 0) return;
    manager.runtime.log.warn(
      { definitions: foreign },
      'definitions of another program: the operator does not serve their kinds unless --kinds names them',
    );
    foreign = [];
  };
  const definitions = manager.watch({ type: definitionsType, metadataOnly: true, project: projectDefinition });
  definitions.onChange((change) => {
    if (change.type === 'deleted') return;
    const { metadata, own: isOwn } = objectOf(change);
    const dot = metadata.name.indexOf('.');
    const kind = tryKindByResource(metadata.name.slice(dot + 1), metadata.name.slice(0, dot));
    if (!kind || !knownKinds.has(kind)) return;
    if (isOwn === true) {
      if (served.has(kind)) return;
      served.add(kind);
      serve(kind);
    } else if (served.has(kind)) {
      const message = `Another program has taken the definition ${metadata.name}: the operator starts again without it`;
      taken.reject(new AzimuthError('AZ_CONFLICT_OWNED', message));
    } else if (change.type === 'added' || change.old['own'] === true) {
      // A list brings many at once; they are one line.
      if (foreign.push(metadata.name) === 1) queueMicrotask(report);
    }
  });
  manager.addTask(async (end) => {
    const ended = Promise.withResolvers<void>();
    if (end.aborted) ended.resolve();
    end.addEventListener('abort', () => ended.resolve(), { once: true });
    await Promise.race([ended.promise, taken.promise]);
  });
  return definitions;
}
