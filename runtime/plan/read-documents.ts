import { basename, extname } from 'node:path';
import { AzimuthError, expected, messageOf } from '../base/errors.ts';
import { isObject } from '../base/json.ts';
import { yamlDocuments } from '../base/text/yaml.ts';
import type { PlanFile } from './read-files.ts';

/** A manifest, and where it stands for messages: `documents[1]`, after the name of the file where there are several. */
export interface PlanDocument {
  readonly manifest: unknown;
  readonly place: string;
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
}

/**
 * The manifests of files in YAML or JSON, in order; those of a `List` one by one. An ARM template becomes a
 * ComputeDeployment with one location. Throws AZ_CONFIG_INVALID that names the file.
 */
export function documentsOf(files: readonly PlanFile[], template: TemplatePlace = {}): PlanDocument[] {
  if (template.parameters && !files.some(({ text }) => isTemplate(text)))
    throw expected('--parameters', 'absent: it is for an ARM template, and there is none', template.parameters.name);
  const documents = files.flatMap((file) => {
    const read = isTemplate(file.text) ? [deploymentOf(file, template)] : manifestsOf(file);
    return read.map((manifest, index) => ({ manifest, file: file.name, index }));
  });
  return documents.map(({ manifest, file, index }, number) =>
    files.length > 1 ? { manifest, place: `${file} documents[${index}]` } : { manifest, place: `documents[${number}]` },
  );
}

function manifestsOf({ name, text }: PlanFile): unknown[] {
  return readYaml(name, text).flatMap((value): unknown[] => {
    if (value === null || value === undefined) return [];
    const isList = isObject(value) && value['kind'] === 'List' && Array.isArray(value['items']);
    return isList ? (value['items'] as unknown[]) : [value];
  });
}

/** Whether a text is an ARM template by itself: they are JSON that may have comments, and name their schema. */
export function isTemplate(text: string): boolean {
  const start = withoutComments(text.replace('\uFEFF', ''));
  const schema = start.indexOf('"$schema"');
  if (!start.startsWith('{') || schema < 0) return false;
  const [line = ''] = start.slice(schema, schema + maxSchemaLength).split('\n');
  return line.toLowerCase().includes('deploymenttemplate.json');
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

function deploymentOf({ name, text }: PlanFile, { parameters, resourceGroup, location }: TemplatePlace): unknown {
  const needs = (flag: string, what: string) => expected(flag, `${what}, since ${name} is an ARM template`, 'nothing');
  if (resourceGroup === undefined) throw needs('--resource-group', 'the name of a ResourceGroup or its ARM id');
  if (location === undefined) throw needs('--location', 'a region such as westeurope');
  const own = basename(name, extname(name)).toLowerCase();
  const words = own.split(/[^a-z0-9]+/).filter(Boolean);
  const deployment = words.join('-').slice(0, 40) || 'template';
  return {
    apiVersion: 'azimuth.dev/v1alpha1',
    kind: 'ComputeDeployment',
    metadata: { name: deployment },
    spec: {
      locations: [{ name: location }],
      ...(parameters && { parameters: parametersOf(parameters) }),
      template: {
        arm: { json: text, owner: resourceGroup.startsWith('/') ? { armId: resourceGroup } : { name: resourceGroup } },
      },
    },
  };
}

function parametersOf({ name, text }: PlanFile): unknown {
  const [read] = readYaml(name, text);
  if (!isObject(read)) throw unreadable(name, 'it is no object of parameters');
  return isObject(read['parameters']) ? read['parameters'] : read;
}

function readYaml(name: string, text: string): unknown[] {
  try {
    return yamlDocuments(text);
  } catch (error) {
    throw unreadable(name, messageOf(error));
  }
}

function unreadable(name: string, reason: string): AzimuthError {
  return new AzimuthError('AZ_CONFIG_INVALID', `The file ${name} cannot be read: ${reason}`);
}
