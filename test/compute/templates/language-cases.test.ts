/** The small templates beside the checkout, or in the folder of AZIMUTH_TEMPLATES; without them nothing is tested. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { SecretValue } from '../../../runtime/base/secret-value.ts';
import type { TemplateContext } from '../../../runtime/compute/templates/document/context.ts';
import { type ExpandedTemplate, expandTemplate } from '../../../runtime/compute/templates/expand-template.ts';
import { caseContext } from './support.ts';

interface LanguageCase {
  readonly id: string;
  readonly title: string;
  readonly template: object;
  readonly parameters?: TemplateContext['parameters'];
  /** Linked templates by path, URI or id. */
  readonly files?: Readonly<Record<string, object>>;
  readonly expected: {
    readonly refused?: string;
    readonly resources?: readonly string[];
    readonly outputs?: Readonly<Record<string, unknown>>;
    readonly after?: Readonly<Record<string, readonly string[]>>;
    readonly notAfter?: Readonly<Record<string, readonly string[]>>;
    readonly body?: Readonly<Record<string, object>>;
  };
}

const file = join(process.env['AZIMUTH_TEMPLATES'] ?? '../shared/templates', 'cases.json');
const cases: readonly LanguageCase[] = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).cases : [];

function expanded({ template, parameters = {}, files = {} }: LanguageCase): ExpandedTemplate {
  return expandTemplate(JSON.stringify(template), {
    ...caseContext,
    linkedTemplate: (name) => files[name] && JSON.stringify(files[name]),
    parameters,
  });
}

/** The ids of all resources that come before one, also through others. */
function allBefore(id: string, { resources }: ExpandedTemplate, found = new Set<string>()): Set<string> {
  for (const other of resources.find((each) => each.id === id)?.dependsOn ?? []) {
    if (found.has(other)) continue;
    found.add(other);
    allBefore(other, { resources, outputs: {}, problems: [], undecided: [], versions: new Map() }, found);
  }
  return found;
}

/** The part of a body at a path such as `properties.subnets`. */
const at = (body: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((part, name) => (part as Record<string, unknown> | undefined)?.[name], body);

/** A value as JSON, with secrets as they are. */
const plain = (value: unknown): unknown =>
  value === undefined
    ? undefined
    : JSON.parse(JSON.stringify(value, (_, part) => (part instanceof SecretValue ? part.reveal() : part)));

if (cases.length === 0) test.skip(`NOT RUN: there is no ${file}`, () => undefined);
else {
  describe.each(cases.map((each) => [each.id, each.title, each] as const))('%s: %s', (_, __, each) => {
    const { refused, resources, outputs = {}, after = {}, notAfter = {}, body = {} } = each.expected;
    test('expands as expected', () => {
      const result = expanded(each);
      if (refused !== undefined) return expect(result.problems).not.toEqual([]);
      expect(result.problems).toEqual([]);
      expect(result.resources.map(({ id }) => id).sort()).toEqual([...(resources ?? [])].sort());
      const values = Object.entries(outputs).map(([name]) => [name, plain(result.outputs[name]?.value)]);
      expect(Object.fromEntries(values)).toEqual(outputs);
      for (const [id, others] of Object.entries(after)) {
        expect([...allBefore(id, result)]).toEqual(expect.arrayContaining([...others]));
      }
      for (const [id, others] of Object.entries(notAfter)) {
        for (const other of others) expect(allBefore(id, result)).not.toContain(other);
      }
      for (const [id, expected] of Object.entries(body)) {
        const found = plain(result.resources.find((resource) => resource.id === id)?.body);
        for (const [path, value] of Object.entries(expected)) expect(at(found, path)).toEqual(value);
      }
    });
  });
}
