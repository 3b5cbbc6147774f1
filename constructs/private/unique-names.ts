import { ApiObject, Chart } from 'cdk8s';
import type { Construct, IConstruct } from 'constructs';

/** The construct that people see for an object, and what gives the object its name. */
interface Naming {
  readonly construct: Construct;
  /** Such as `metadata.name`, in words of its properties. */
  readonly property: string;
}

const namings = new WeakMap<ApiObject, Naming>();
const checked = new WeakSet<IConstruct>();

/**
 * Makes the chart check at synth that no two of its objects are one in the cluster: of one group, kind, namespace and
 * name. Charts are checked one by one, as they may be for several clusters. The last call for an object counts.
 *
 * @param property what gives the object its name, for the message
 */
export function checkName(construct: Construct, property: string, object = ApiObject.of(construct)): void {
  namings.set(object, { construct, property });
  const chart = Chart.of(object);
  if (checked.has(chart)) return;
  checked.add(chart);
  chart.node.addValidation({
    validate: () => duplicates(objectsIn(chart).filter((each) => each.chart === chart)),
  });
}

/** The same problems for objects of different charts. An app with one platform is for one cluster; others have none. */
export function namesInSeveralCharts(platform: Construct): string[] {
  const { root } = platform.node;
  const platforms = root.node.findAll().filter((each) => each.constructor === platform.constructor);
  if (platforms.length > 1) return [];
  return duplicates(objectsIn(root), (one, other) => one.chart !== other.chart);
}

const objectsIn = (scope: IConstruct) => scope.node.findAll().filter((each) => each instanceof ApiObject);

function duplicates(
  objects: readonly ApiObject[],
  counts: (one: ApiObject, other: ApiObject) => boolean = () => true,
): string[] {
  const first = new Map<string, ApiObject>();
  return objects.flatMap((object) => {
    const identity = identityOf(object);
    if (identity === undefined) return [];
    const other = first.get(identity);
    if (!other) first.set(identity, object);
    return other && counts(other, object) ? [message(identity, other, object)] : [];
  });
}

function message(identity: string, first: ApiObject, second: ApiObject): string {
  const { property } = namingOf(namings.has(second) ? second : first);
  const [one, other] = [first, second].map((each) => namingOf(each).construct.node.path);
  return (
    `${identity} is an object of two constructs, ${one} and ${other}: in the cluster the second replaces the first. ` +
    `Change ${property} of one of them`
  );
}

const namingOf = (object: ApiObject): Naming =>
  namings.get(object) ?? { construct: object, property: '`metadata.name`' };

/** As it is written, such as `StorageAccount.storage.azure.com shop/logs`; undefined where it cannot be written. */
function identityOf(object: ApiObject): string | undefined {
  try {
    const { apiVersion, kind, metadata } = object.toJson() as { apiVersion: string; kind: string; metadata: Metadata };
    const group = apiVersion.includes('/') ? `.${apiVersion.split('/')[0]}` : '';
    const namespace = metadata.namespace === undefined ? '' : `${metadata.namespace}/`;
    return `${kind}${group} ${namespace}${metadata.name}`;
  } catch {
    // The synthesis itself reports it.
    return undefined;
  }
}

interface Metadata {
  readonly name: string;
  readonly namespace?: string;
}
