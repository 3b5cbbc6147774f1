import { messageOf } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import type { AppliedObject } from '../../compute/plan/observation.ts';
import { isConflict, isForbidden, KubeStatusError } from '../../kube/client/status-error.ts';
import type { KubeClient, KubeObject, ResourceType } from '../../kube/client/types.ts';

/** The result of a dry run. `note`: it was not possible, or the apply needs another flag. */
export interface DryRun {
  /** Undefined where the API server could not be asked. */
  readonly applied?: AppliedObject;
  readonly note?: string;
}

/** A server-side apply as `kubectl apply --server-side` sends it. */
export interface DryRunOptions {
  readonly namespace: string;
  readonly fieldManager: string;
  /** Managers whose fields the apply takes over without a word. */
  readonly managers: ReadonlySet<string>;
  readonly signal?: AbortSignal;
}

/** Refusals of this object; every other error is about the server or the caller. */
const refusals: ReadonlySet<number> = new Set([400, 403, 404, 409, 422]);

/**
 * The object that the API server would store for a manifest: a server-side apply with `dryRun=All`, which writes
 * nothing. Throws each error that is no answer about the manifest, such as AZ_KUBE_UNREACHABLE.
 */
export async function dryRun(
  client: KubeClient,
  type: ResourceType,
  manifest: JsonObject,
  { namespace, fieldManager, managers, signal }: DryRunOptions,
): Promise<DryRun> {
  const metadata = { ...(manifest['metadata'] as KubeObject['metadata']), namespace };
  const object = { ...manifest, metadata } as KubeObject;
  const apply = (force: boolean) =>
    client.apply(type, object, { fieldManager, dryRun: true, force, ...(signal && { signal }) });
  try {
    return { applied: await apply(false) };
  } catch (error) {
    if (!isConflict(error)) return refusalOf(error);
    try {
      const foreign = foreignFields(error, managers);
      const note = `other field managers have set ${foreign.join(', ')}: a server-side apply needs --force-conflicts`;
      return { applied: await apply(true), ...(foreign.length > 0 && { note }) };
    } catch (second) {
      return refusalOf(second);
    }
  }
}

/** The fields of a conflict that others than these managers have set, each with the API server's sentence. */
export function foreignFields({ causes }: KubeStatusError, managers: ReadonlySet<string>): string[] {
  const foreign = causes.filter(({ message = '' }) => ![...managers].some((each) => message.includes(`"${each}"`)));
  return foreign.map(({ field, message }) => [field, message].filter(Boolean).join(' '));
}

function refusalOf(error: unknown): DryRun {
  if (!(error instanceof KubeStatusError)) throw error;
  const cannot = isForbidden(error) && /\bcannot (patch|create) resource\b/.test(error.message);
  if (cannot || error.status === 415 || /does not support dry.?run/i.test(error.message))
    return { note: `compared by GET, without the API server's own check: ${messageOf(error)}` };
  if (refusals.has(error.status)) return { applied: { refused: messageOf(error) } };
  throw error;
}
