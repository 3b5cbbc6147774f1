import { basename, extname } from 'node:path';
import { AzimuthError, expected, messageOf } from '../base/errors.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import { trimEndOf } from '../base/text/text.ts';
import { parseYaml, type YamlDocument } from '../base/text/yaml.ts';
import type { LinkedTemplates } from '../compute/deployments/linked-templates.ts';
import { secureParameters } from '../compute/templates/document/parameters/secure-parameters.ts';
import type { PlanFile } from './read-files.ts';

/** A manifest, and where it stands for messages. */
export interface PlanDocument {
  /** Undefined for an input without an object. */
  readonly manifest: unknown;
  /** `shop.yaml:12 documents[1]`, or `shop.yaml:20 documents[2].items[0]`: file, line, and place in the file. */
  readonly place: string;
  /** Characters of the ARM template that it is made from. @default it is a manifest of the file */
  readonly templateLength?: number;
}

/** Characters in which the schema of a template stands. */
const maxSchemaLength = 300;

/** Where an ARM template among the files is deployed. */
export interface TemplatePlace {
  /** A parameters file, or the members of one. @default no parameters */
  readonly parameters?: PlanFile;
  /** Name of a ResourceGroup object, or its ARM id. */
  readonly resourceGroup?: string;
  /** westeurope */
  readonly location?: string;
  /** Name, for a template of a management group. */
  readonly managementGroup?: string;
  /** Texts of the templates that links name, by path. @default none */
  readonly linkedTemplates?: LinkedTemplates;
}

/**
 * The manifests of files in YAML or JSON, in order; those of a list one by one. An ARM template becomes a
 * ComputeDeployment with one location. Throws AZ_CONFIG_INVALID that names the file.
 */
export function documentsOf(files: readonly PlanFile[], template: TemplatePlace = {}): PlanDocument[] {
  if (template.parameters && !files.some(({ text }) => isTemplate(text)))
    throw expected('--parameters', 'absent: it is for an ARM template, and there is none', template.parameters.name);
  const inputs = Map.groupBy(files, ({ name, input = name }) => input);
  return [...inputs].flatMap(([input, inputFiles]) => {
    const documents = inputFiles.flatMap((file) =>
      isTemplate(file.text)
        ? [
            {
              manifest: deploymentOf(file, template),
              place: `${file.name}:1 documents[0]`,
              templateLength: file.text.length,
            },
          ]
        : manifestsOf(file),
    );
    return documents.length > 0 ? documents : [{ manifest: undefined, place: input }];
  });
}

function manifestsOf({ name, text }: PlanFile): PlanDocument[] {
  return yamlOf(name, text).flatMap(({ value, lineOf }, index): PlanDocument[] => {
    if (value === null || value === undefined) return [];
    const place = (path: readonly (string | number)[], suffix: string) =>
      `${name}:${lineOf(path) ?? 1} documents[${index}]${suffix}`;
    if (!isList(value)) return [{ manifest: value, place: place([], '') }];
    return value.items.map((manifest, item) => ({ manifest, place: place(['items', item], `.items[${item}]`) }));
  });
}

/** As kubectl does: a `List`, and a list of one kind such as the API server's StorageAccountList. */
function isList(value: unknown): value is { readonly items: readonly unknown[] } {
  return isObject(value) && String(value['kind']).endsWith('List') && Array.isArray(value['items']);
}

/** Whether a text is an ARM template by itself: they are JSON that may have comments, and name their schema. */
export const isTemplate = (text: string): boolean => hasSchema(text, 'deploymenttemplate.json');

/** Whether a text is a parameters file of an ARM template. */
export const isParametersFile = (text: string): boolean => hasSchema(text, 'deploymentparameters.json');

function hasSchema(text: string, name: string): boolean {
  const start = withoutComments(text.replace('\uFEFF', ''));
  const schema = start.indexOf('"$schema"');
  if (!start.startsWith('{') || schema < 0) return false;
  const [line = ''] = start.slice(schema, schema + maxSchemaLength).split('\n');
  return line.toLowerCase().includes(name);
}

/** The text from its first value on. */
function withoutComments(text: string): string {
  let rest = text.trimStart();
  for (;;) {
    const end = rest.startsWith('//') ? '\n' : rest.startsWith('/*') ? '*/' : undefined;
    if (end === undefined) return rest;
    const at = rest.indexOf(end);
    rest = at < 0 ? '' : rest.slice(at + end.length).trimStart();
  }
}

function deploymentOf({ name, text, parameters: own }: PlanFile, place: TemplatePlace): unknown {
  const { resourceGroup, location, managementGroup, linkedTemplates } = place;
  const file = place.parameters ?? (own === undefined ? undefined : { name, text: own });
  const given = file ? parametersOf(file) : {};
  const parameters = withSecretNames(given, text, `${deploymentNameOf(name)}-parameters`);
  const needs = (flag: string, what: string) => expected(flag, `${what}, since ${name} is an ARM template`, 'nothing');
  if (resourceGroup === undefined) throw needs('--resource-group', 'the name of a ResourceGroup or its ARM id');
  if (location === undefined) throw needs('--location', 'a region such as westeurope');
  return {
    apiVersion: 'azimuth.dev/v1alpha1',
    kind: 'ComputeDeployment',
    metadata: { name: deploymentNameOf(name) },
    spec: {
      locations: [{ name: location }],
      ...(Object.keys(parameters).length > 0 && { parameters }),
      template: {
        arm: {
          json: text,
          owner: resourceGroup.startsWith('/') ? { armId: resourceGroup } : { name: resourceGroup },
          ...(managementGroup !== undefined && { managementGroup }),
          ...(linkedTemplates && { linkedTemplates }),
        },
      },
    },
  };
}

/** Name of the deployment of a template in a file: that of the file, as Kubernetes takes it. */
export function deploymentNameOf(file: string): string {
  const words = basename(file, extname(file))
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
  return trimEndOf(words.join('-').slice(0, 40), '-') || 'template';
}

/** The parameters in a parameters file, or in the members of one. Throws AZ_CONFIG_INVALID that names the file. */
export function parametersOf({ name, text }: PlanFile): JsonObject {
  const value = yamlOf(name, text)[0]?.value;
  if (!isObject(value)) throw unreadable(name, 'it is no object of parameters');
  return isObject(value['parameters']) ? value['parameters'] : value;
}

/**
 * The parameters with a Secret in the place of each value of a secure parameter, and of each default of one, under the name
 * of the parameter: a plan has no secret, and a deployment takes none in clear text.
 */
export function withSecretNames(parameters: JsonObject, template: string, secret: string): JsonObject {
  const given = new Map(Object.entries(parameters));
  for (const [name, hasDefault] of secureParameters(template)) {
    const own = [...given.keys()].find((each) => each.toLowerCase() === name.toLowerCase());
    const input = own === undefined ? undefined : given.get(own);
    const value = isObject(input) ? input['value'] : undefined;
    const isSecret = own === undefined ? hasDefault : value !== undefined && value !== null && value !== '';
    if (isSecret) given.set(own ?? name, { secret: { name: secret, key: own ?? name } });
  }
  return Object.fromEntries(given);
}

function yamlOf(name: string, text: string): YamlDocument[] {
  try {
    return parseYaml(text);
  } catch (error) {
    throw unreadable(name, messageOf(error));
  }
}

function unreadable(name: string, reason: string): AzimuthError {
  return new AzimuthError('AZ_CONFIG_INVALID', `The file ${name} cannot be read: ${reason}`);
}
