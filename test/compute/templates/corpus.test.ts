/**
 * Whole templates with the expansion that the facts say. Nobody could run `az deployment group validate` or `what-if` here:
 * both need Azure. The judge for a machine that has the Bicep CLI is `bicep snapshot`, which runs Azure's own engine.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { validate } from '../../../runtime/api/validate.ts';
import { SecretValue } from '../../../runtime/base/secret-value.ts';
import { manifestsOf } from '../../../runtime/compute/manifests/manifests.ts';
import type { TemplateManifest } from '../../../runtime/compute/manifests/template-manifest.ts';
import type { TemplateContext } from '../../../runtime/compute/templates/document/context.ts';
import { type ExpandedResource, expandTemplate } from '../../../runtime/compute/templates/expand-template.ts';
import type { TemplateProblem } from '../../../runtime/compute/templates/problems.ts';
import { KeyVaultReference, type TemplateValue, Unknown } from '../../../runtime/compute/templates/values/value.ts';
import { context as anyContext, subscriptionId } from './support.ts';

interface Place {
  readonly name: string;
  readonly path: string;
}
interface Case {
  readonly about: string;
  readonly facts: string;
  readonly parameters?: TemplateContext['parameters'];
  readonly template: object;
  readonly expected: {
    /** Ids below the providers of the group; `object` is group, kind and name, a name with a hash without it. */
    readonly resources?: readonly {
      readonly id: string;
      readonly dependsOn?: readonly string[];
      readonly waitsFor?: readonly string[];
      readonly body: object;
      readonly object?: string;
      /** Keys of the Secrets that the object names. */
      readonly secrets?: readonly string[];
      readonly managedSecrets?: readonly object[];
    }[];
    readonly outputs?: object;
    readonly problems?: readonly Place[];
    readonly objectProblems?: readonly Place[];
    /** Texts that no problem may have. */
    readonly nowhere?: readonly string[];
  };
}

/** The group of a published vector of uniqueString (facts 9.7). */
const context: TemplateContext = { ...anyContext, resourceGroup: { name: 'myRg', location: 'westeurope' } };
const groupId = `/subscriptions/${subscriptionId}/resourceGroups/myRg`;

const folder = new URL('corpus/', import.meta.url);
const cases = readdirSync(folder).map((file): [string, Case] => [
  file.replace('.json', ''),
  JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Case,
]);

/** A value as the corpus writes it: each class of values is an object that says what it is. */
function shown(value: TemplateValue): unknown {
  if (value instanceof SecretValue) return { secret: shown((value as SecretValue<TemplateValue>).reveal()) };
  if (value instanceof Unknown) return { 'after apply': value.expression };
  if (value instanceof KeyVaultReference) return { keyVault: value.vaultId, secretName: value.secretName };
  if (Array.isArray(value)) return value.map(shown);
  if (typeof value === 'string') return value.replaceAll(groupId, '<group>');
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shown(member)]));
}

const below = (id: string) => id.replace(`${groupId}/providers/`, '');
const places = (problems: readonly TemplateProblem[]) => problems.map(({ name, path }) => ({ name, path }));
const resourceShown = ({ id, dependsOn, waitsFor, body }: ExpandedResource) => ({
  id: below(id),
  dependsOn: dependsOn.map(below),
  waitsFor: waitsFor.map(below),
  body: shown(body),
});
const withoutHash = (name: string) => name.replace(/-[0-9a-f]{16}$/, '');
const objectShown = ({ definition: { group, kind }, object, secrets }: TemplateManifest) => ({
  object: kind === 'ArmResource' ? `${group}/${kind}` : `${group}/${kind} ${withoutHash(object.metadata.name)}`,
  secrets: secrets.flatMap(({ data }) => Object.keys(data)).sort(),
  managedSecrets: object['spec'].operatorSpec?.managedSecrets ?? [],
});

test('the corpus has templates that work and templates that are broken', () => {
  const broken = cases.filter(([, { expected }]) => expected.problems);
  expect(cases.length - broken.length).toBeGreaterThanOrEqual(19);
  expect(broken.length).toBeGreaterThanOrEqual(6);
});

describe.each(cases)('%s', (_, { parameters = {}, template, expected }) => {
  const expanded = expandTemplate(JSON.stringify(template, null, 2), { ...context, parameters });

  test('expands as expected', () => {
    expect(places(expanded.problems)).toEqual(expected.problems ?? []);
    for (const { line, column } of expanded.problems) expect(Math.min(line, column)).toBeGreaterThanOrEqual(0);
    for (const text of expected.nowhere ?? []) expect(JSON.stringify(expanded.problems)).not.toContain(text);
    if (expected.problems) return;
    const wanted = (expected.resources ?? []).map(({ id, dependsOn = [], waitsFor = [], body }) => {
      return { id, dependsOn, waitsFor, body };
    });
    expect(expanded.resources.map(resourceShown)).toEqual(wanted);
    const outputs = Object.entries(expanded.outputs).map(([name, { value }]) => [name, shown(value)]);
    expect(Object.fromEntries(outputs)).toEqual(expected.outputs ?? {});
  });

  test('makes the expected objects', () => {
    if (expected.problems) return;
    const { manifests, problems } = manifestsOf(expanded, { namespace: 'apps' });
    expect(places(problems)).toEqual(expected.objectProblems ?? []);
    const wanted = expected.objectProblems ? [] : (expected.resources ?? []);
    const made = expected.objectProblems ? [] : manifests;
    for (const { definition, object } of made.filter(({ waitsFor }) => waitsFor.length === 0)) {
      expect(validate(definition, object, { strict: true })).toEqual([]);
    }
    expect(made.map(objectShown)).toEqual(
      wanted.map(({ object, secrets = [], managedSecrets = [] }) => ({ object, secrets, managedSecrets })),
    );
  });
});
