/** Samples made by one cluster, imported from Azure, and taken over by another cluster. */
import { parseAllDocuments } from 'yaml';
import { kindOf, resourceOf } from '../../runtime/api/kinds.ts';
import { type Imported, importResources } from '../../runtime/import/importer.ts';
import type { KubeObject, ResourceType } from '../../runtime/kube/client/types.ts';
import { untilEach } from '../fakes/eventually.ts';
import { allowManyRequests, typeOf } from '../operator/samples/sample-place.ts';
import { armKindOf, nameOf } from '../operator/samples/samples.ts';
import { armRequests, condition, startWorld, type World } from '../operator/support.ts';
import { readerOf } from './support.ts';

const anywhere = { AZURE_OPERATOR_CREDENTIAL_SCOPES: '*=/' };
const limitMs = 600_000;

/** What became of the samples. */
export interface Adoption {
  /** The samples that the first cluster made. */
  readonly made: readonly KubeObject[];
  readonly imported: Imported;
  /** Resources of the samples that no imported object has, and which kind they are: `<kind> <ARM id>`. */
  readonly missing: readonly string[];
  /** Imported objects that did not become Ready, with their condition. */
  readonly notReady: readonly string[];
  /** Requests of the second cluster that changed Azure: `<method> <ARM id>`. */
  readonly writes: readonly string[];
}

const storedTypeOf = ({ apiVersion, kind }: KubeObject) => resourceOf(kindOf(apiVersion.split('/')[0] ?? '', kind));
const idOf = (object: KubeObject) => String(object['status']?.id).toLowerCase();

/** The objects as they are once all are Ready, or the time is over. */
async function settled(
  world: World,
  objects: readonly KubeObject[],
  type: (object: KubeObject) => ResourceType,
): Promise<KubeObject[]> {
  const isReady = async (object: KubeObject) =>
    condition(await world.client.tryGet(type(object), object.metadata))?.status === 'True';
  await untilEach(objects, isReady, limitMs);
  return Promise.all(objects.map((object) => world.client.get(type(object), object.metadata)));
}

const notReadyOf = (objects: readonly KubeObject[]) =>
  objects
    .filter((object) => condition(object)?.status !== 'True')
    .map((object) => `${nameOf(object)}: ${JSON.stringify(condition(object))}`);

/** Azure takes the region of the group where none is given; the sandbox would leave it out of the group's list. */
function inRegion(object: KubeObject): KubeObject {
  const takes = armKindOf(object)?.arm?.fields.properties?.['location'] !== undefined;
  return takes ? { ...object, spec: { location: 'westeurope', ...(object['spec'] as object) } } : object;
}

/**
 * Takes samples through an import. `samples` gets the Azure that they live in. Users of databases and groups of Entra
 * ID are left out: an import reads ARM.
 * @throws Where a sample does not become Ready in the first cluster.
 */
export async function adoptSamples(samples: (azure: World['azure']) => readonly KubeObject[]): Promise<Adoption> {
  const first = await startWorld({ kinds: '*', versions: 'all' });
  let second: World | undefined;
  try {
    allowManyRequests(first.azure);
    const all = samples(first.azure)
      .filter((object) => !armKindOf(object)?.arm?.dataPlane)
      .map(inRegion);
    for (const object of all) await first.client.apply(typeOf(object), object, { fieldManager: 'test', force: true });
    const operator = await first.startOperator(anywhere);
    const made = await settled(
      first,
      all.filter((object) => armKindOf(object)?.arm),
      typeOf,
    );
    await operator.stop();
    const waiting = notReadyOf(made);
    if (waiting.length > 0) throw new Error(`Samples are not Ready:\n${waiting.join('\n')}`);

    const { subscriptionId } = first.azure;
    const groups = await first.portal.arm('GET', `/subscriptions/${subscriptionId}/resourceGroups`, '2021-04-01');
    // Azure has no list of all extensions below a group, and none of what is in no group: a user names these.
    const named = made.filter(
      (object) => armKindOf(object)?.arm.owner?.extension || !/\/resourcegroups\//.test(idOf(object)),
    );
    const imported = await importResources(readerOf(first.azure), {
      ids: [
        ...(groups.body['value'] as { id: string }[]).map(({ id }) => id),
        ...named.map(({ status }) => (status as { id: string }).id),
      ],
      recursive: true,
      output: 'yaml',
      namespace: 'default',
      labels: {},
      annotations: {},
      workers: 8,
      credential: 'environment',
    });
    const objects = parseAllDocuments(imported.text, { version: '1.1' }).map((each) => each.toJS() as KubeObject);
    const mark = first.azure.journal.entries({}).at(-1)?.seq ?? 0;
    second = await startWorld({ azure: first.azure, kinds: '*' });
    for (const object of objects)
      await second.client.apply(storedTypeOf(object), object, { fieldManager: 'test', force: true });
    await second.startOperator(anywhere);
    const adopted = await settled(second, objects, storedTypeOf);
    const ids = new Set(adopted.map(idOf));
    const writes: string[] = [];
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      const later = armRequests(second, method, /./).filter(({ seq }) => seq > mark);
      writes.push(...later.map(({ path }) => `${method} ${path}`));
    }
    return {
      made,
      imported,
      missing: made.filter((object) => !ids.has(idOf(object))).map((object) => `${object.kind} ${idOf(object)}`),
      notReady: notReadyOf(adopted),
      writes: writes.sort(),
    };
  } finally {
    await second?.close();
    await first.close();
  }
}
