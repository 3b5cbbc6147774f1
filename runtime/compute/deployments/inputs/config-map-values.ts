/** Parameters of an ARM template whose values are in ConfigMaps: `{"configMap": {"name", "key"}}`. */
import type { ComputeDeploymentSpec } from '../../../api/deployments/compute-deployment.ts';
import { isObject, type JsonObject } from '../../../base/json.ts';
import { isSecureType } from '../../templates/document/parameters/types.ts';
import type { DeploymentProblem } from '../substitute.ts';

/** The key of a ConfigMap, and its text once somebody has read it. */
export interface MapValue {
  readonly name: string;
  readonly key: string;
  readonly text?: string;
}

/** Data of a ConfigMap by key. */
export type MapData = Readonly<Record<string, unknown>>;

/** What is wrong with a name that no ConfigMap can have; undefined for a DNS subdomain. */
export function mapNameProblem(name: string): string | undefined {
  if (name.length <= 253 && /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/.test(name)) return undefined;
  return `'${name.slice(0, 100)}' is no name of a ConfigMap: give one of lower-case letters, digits, - and .`;
}

/** The key of a ConfigMap that a parameter names; undefined for a parameter of another form. */
export function mapValueOf(input: unknown): MapValue | undefined {
  const value = isObject(input) ? input['configMap'] : undefined;
  if (!isObject(value) || typeof value['name'] !== 'string' || typeof value['key'] !== 'string') return undefined;
  const { name, key, text } = value;
  return { name, key, ...(typeof text === 'string' && { text }) };
}

/** Names of the ConfigMaps that the parameters of a spec name, each once. */
export function parameterMaps({ template, parameters, locations }: ComputeDeploymentSpec): readonly string[] {
  if (!template.arm) return [];
  const all = [parameters, ...locations.map((each) => each.parameters)].flatMap((each) => Object.values(each ?? {}));
  return [...new Set(all.flatMap((input) => mapValueOf(input)?.name ?? []))];
}

/** The spec with the texts of these ConfigMaps in its parameters, and what keeps a parameter from having one. */
export function withMapTexts(
  spec: ComputeDeploymentSpec,
  dataOf: (name: string) => MapData | undefined,
): { readonly spec: ComputeDeploymentSpec; readonly problems: readonly DeploymentProblem[] } {
  if (parameterMaps(spec).length === 0) return { spec, problems: [] };
  const problems: DeploymentProblem[] = [];
  const read = (parameters: object, path: string): JsonObject =>
    Object.fromEntries(
      Object.entries(parameters).map(([name, input]) => {
        const value = mapValueOf(input);
        if (!value) return [name, input];
        const data = dataOf(value.name);
        const text = data && Object.hasOwn(data, value.key) ? data[value.key] : undefined;
        if (typeof text === 'string') return [name, { configMap: { name: value.name, key: value.key, text } }];
        const what = data ? `has no key ${value.key}` : 'does not exist';
        const missing = `The ConfigMap ${value.name} ${what}: create it, or correct the parameter`;
        const message = mapNameProblem(value.name) ?? missing;
        problems.push({ path: `${path}.${name.slice(0, 100)}`, message });
        return [name, input];
      }),
    );
  const { parameters, locations } = spec;
  const changed = {
    ...spec,
    ...(parameters && { parameters: read(parameters, 'parameters') }),
    locations: locations.map((each, index) =>
      each.parameters ? { ...each, parameters: read(each.parameters, `locations[${index}].parameters`) } : each,
    ),
  };
  return { spec: changed, problems };
}

/** The value that a text has for a parameter of this type, or what is wrong with it. Of no declared type: the text. */
export function typedValue(
  { name, key, text }: MapValue,
  type: string | undefined,
): { readonly value: unknown } | { readonly problem: string } {
  const place = `the key ${key} of the ConfigMap ${name}`;
  if (text === undefined)
    return { problem: `${place} is not read here: add the manifest of the ConfigMap to the files, or give a value` };
  if (type !== undefined && isSecureType(type))
    return { problem: `everybody who may read ConfigMaps reads ${place}: give {secret: {name, key}}` };
  if (type === undefined || type === 'string') return { value: text };
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { problem: `${place} is no JSON of the type ${type}` };
  }
}
