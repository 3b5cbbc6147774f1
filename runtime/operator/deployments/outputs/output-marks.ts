import { configMapsType, secretsType } from '../../../kube/client/core-types.ts';
import { ownership } from '../../../kube/client/owner-references.ts';
import type { ResourceType } from '../../../kube/client/types.ts';
import type { ExportTarget } from '../../export/export-targets.ts';
import type { ExportWriter } from '../../export/secrets-and-config-maps.ts';

/** On a ConfigMap or Secret with outputs: the run, generation and location, and the kinds that have values. */
const annotation = 'azimuth.dev/outputs';

/** An object for outputs. */
export type OutputTarget = Pick<ExportTarget, 'target' | 'name'>;

/** The type of the object. */
export const typeOf = ({ target }: OutputTarget): ResourceType => (target === 'Secret' ? secretsType : configMapsType);

/** The annotations of all objects of one location, where these have values. */
export function marksOf(version: string, targets: readonly OutputTarget[]): Readonly<Record<string, string>> {
  return { [annotation]: `${version} ${targets.map(({ target }) => target).join('+')}` };
}

/**
 * Whether the objects of a location have been written for this version, before a restart of the operator. The mark tells it
 * without a request to Azure. Somebody who forges it puts off the outputs of this deployment until the next resync.
 */
export async function areWritten(
  version: string,
  targets: readonly OutputTarget[],
  { client, owner, signal }: ExportWriter,
): Promise<boolean> {
  const { namespace = '' } = owner.metadata;
  const marks: string[] = [];
  for (const target of targets) {
    const object = await client.tryGet(typeOf(target), { namespace, name: target.name }, signal);
    const isMine = object && ownership(object, owner).mine;
    marks.push((isMine && object.metadata.annotations?.[annotation]) || '');
  }
  const written = targets.filter(({ target }) => marks.some((mark) => kindsOf(mark, version).includes(target)));
  return written.length > 0 && written.every((each) => kindsOf(marks[targets.indexOf(each)], version).length > 0);
}

/** The kinds that a mark of this version names. */
function kindsOf(mark: string | undefined, version: string): readonly string[] {
  return mark?.startsWith(`${version} `) ? mark.slice(version.length + 1).split('+') : [];
}
