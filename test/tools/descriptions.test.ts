import { dirname } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import type { ArmKind, FieldTree } from '../../runtime/api/types.ts';
import { definitionTexts } from '../../tools/descriptions/kind-texts.ts';
import { describeKind, fieldsOf, withFieldsBelow } from '../../tools/descriptions/match.ts';
import { type Models, readModels } from '../../tools/descriptions/read-models.ts';
import { checkArchive, packagesFor } from '../../tools/descriptions/sdk-packages.ts';
import { shareOf } from '../../tools/descriptions/share.ts';
import { idOf, readCatalogue } from '../../tools/generate/catalogue.ts';
import { isPathOf, meaningAt } from '../../tools/generate/meanings.ts';
import { mergeVersions } from '../../tools/generate/merge-versions.ts';
import { typesFile } from '../../tools/generate/render.ts';
import { scratch } from '../fakes/scratch.ts';

const files = scratch();
afterAll(() => files.remove());

const shared = `
export interface TrackedResource {
    /** Where the resource is. */
    location?: string;
}
/** A heater. */
export interface Heater {
    /** Watts of the heater. */
    power?: number;
}
export interface OvenLampPart {
    /** Lumens of the lamp. */
    light?: number;
}
export type PartUnion = Heater | OvenLampPart;
export interface Rule {
    /** What the
     * rule allows. */
    allow?: string;
}
`;

/** As newer packages are: properties in a model of their own, names by functions. */
const newer = `${shared}
/** An oven. */
export interface Oven extends TrackedResource {
    properties?: OvenProperties;
}
export interface OvenProperties {
    /** Degrees. */
    heatLevel?: number;
    rules?: Rule[];
    /** By the name of the shelf. */
    shelves?: Record<string, Rule>;
    parts?: PartUnion[];
    /** NOTE: This property will not be serialized. It can only be populated by the server. */
    readonly state?: string;
}
export type OvenGetResponse = Oven;
`;
const namesOfNewer = `
export function ovenPropertiesSerializer(item) {
    return {
        "heat-level": !item["heatLevel"] ? item["heatLevel"] : item["heatLevel"],
    };
}
`;

/** As older packages are: properties flattened, an intersection, names in mappers. */
const older = `${shared}
export declare type Oven = TrackedResource & {
    /** Degrees. */
    heat?: number;
    rules?: Rule[];
    /** By the name of the shelf. */
    shelves?: {
        [propertyName: string]: Rule;
    };
    parts?: PartUnion[];
};
`;
const namesOfOlder = `
      heat: {
        constraints: 5,
        serializedName: "properties.heat-level",
      },
`;

function read(declarations: string, names: readonly [string, string], file: string): Models {
  const folder = dirname(files.write(`${file}/package.json`, '{}'));
  files.write(`${file}/${names[0]}`, names[1]);
  files.write(`${file}/${file === 'newer' ? 'dist/esm/models/models.d.ts' : 'types/oven.d.ts'}`, declarations);
  return readModels([folder]).get(folder) ?? new Map();
}

const ofText: FieldTree = { type: 'string' };
const rule: FieldTree = { type: 'object', properties: { allow: ofText } };
const kind = {
  kind: 'Oven',
  armType: 'Microsoft.Kitchen/ovens',
  arm: {
    fields: {
      type: 'object',
      properties: {
        location: ofText,
        heatLevel: { type: 'integer', arm: 'heat-level', maximum: 300 },
        rules: { type: 'array', items: rule },
        shelves: { type: 'map', values: rule },
        parts: {
          type: 'array',
          items: {
            type: 'object',
            oneOf: true,
            properties: {
              heater: { type: 'object', arm: '', properties: { power: { type: 'integer' } } },
              lamp: { type: 'object', arm: '', properties: { light: { type: 'integer' } } },
            },
          },
        },
        door: { type: 'integer', maximum: 2 },
        doorHandle: ofText,
      },
    },
    status: { 'heat-level': 'integer', state: 'string', parts: [{ heater: { power: 'integer' } }] },
  } as unknown as ArmKind,
};

const fields = {
  'spec.location': 'Where the resource is.',
  'spec.heatLevel': 'Degrees.',
  'spec.rules.allow': 'What the rule allows.',
  'spec.shelves': 'By the name of the shelf.',
  'spec.shelves.allow': 'What the rule allows.',
  'spec.parts.heater': 'A heater.',
  'spec.parts.heater.power': 'Watts of the heater.',
  'spec.parts.lamp.light': 'Lumens of the lamp.',
  'status.heat-level': 'Degrees.',
  'status.parts.heater': 'A heater.',
  'status.parts.heater.power': 'Watts of the heater.',
};

test('fields get the texts of the models that have the members of their kind, flattened or not', () => {
  const ofNewer = read(newer, ['dist/esm/models/models.js', namesOfNewer], 'newer');
  const { models, texts } = describeKind(kind, [ofNewer]);
  expect(models).toEqual(['Oven', 'OvenProperties']);
  expect(Object.fromEntries(texts)).toEqual(fields);
  const ofOlder = read(older, ['dist-esm/src/models/mappers.js', namesOfOlder], 'older');
  expect(Object.fromEntries(describeKind(kind, [ofOlder]).texts)).toEqual(fields);
});

test('a kind that no model is like has no texts', () => {
  const other: ArmKind = { ...kind.arm, fields: { type: 'object', properties: { speed: ofText, wheels: ofText } } };
  const { models, texts } = describeKind(
    { kind: 'Car', armType: 'Microsoft.Road/cars', arm: { ...other, status: {} } },
    [read(older, ['dist-esm/src/models/mappers.js', namesOfOlder], 'older')],
  );
  expect([models, [...texts]]).toEqual([[], []]);
});

test('the share tells what packages say, what the catalogue says and what nothing says', () => {
  const texts = new Map(Object.entries(fields));
  expect(shareOf(fieldsOf(kind), { texts })).toEqual({
    packages: 8,
    catalogue: 1,
    missing: ['spec.rules', 'spec.parts', 'spec.parts.lamp', 'spec.doorHandle'],
    status: { described: 3, all: 5 },
  });
});

test('the packages of a kind are those with the closest match', () => {
  const sdk = (name: string, ...describes: string[]) => ({ name, version: '1.0.0', integrity: '', describes });
  const packages = [sdk('a', 'cache'), sdk('b', 'cache/RedisEnterprise'), sdk('c', 'network'), sdk('d', 'network')];
  const names = (id: string) => packagesFor(id, packages).map(({ name }) => name);
  expect(names('cache/Redis')).toEqual(['a']);
  expect(names('cache/RedisEnterpriseDatabase')).toEqual(['b']);
  expect(names('network/RouteTable')).toEqual(['c', 'd']);
  expect(names('network.frontdoor/WebApplicationFirewallPolicy')).toEqual([]);
});

test('an archive with another hash is refused', () => {
  expect(() => checkArchive('a 1.0.0', Buffer.from('other'), 'sha512-AAAA')).toThrow(/^a 1\.0\.0 is sha512-/);
});

test('the types of the package have the texts before bounds, and after what a reference is', () => {
  const arm = {
    ...kind.arm,
    owner: null,
    operatorSpec: { secrets: [], configMaps: [] },
    fields: {
      type: 'object',
      properties: {
        heat: { type: 'integer', maximum: 300 },
        roomReference: { type: 'reference', arm: 'room' },
        kind: { type: 'string', enum: ['Oven'] },
      },
    },
  } as unknown as ArmKind;
  const entry = {
    group: 'kitchen.azure.com',
    plural: 'ovens',
    singular: 'oven',
    shortNames: [],
    versions: [],
    ...kind,
    arm,
  };
  const texts = new Map([
    ['spec.heat', 'Degrees */ of it.'],
    ['spec.roomReference', 'Its room.'],
  ]);
  const lines = typesFile(entry, texts).split('\n');
  const docOf = (name: string) => lines[lines.findIndex((line) => line.startsWith(`  ${name}?`)) - 3]?.trim();
  expect(docOf('heat')).toBe('* Degrees *\\/ of it. At most 300.');
  expect(docOf('roomReference')).toBe('* By construct or ARM id: any resource. Its room.');
  expect(docOf('kind')).toBe('* Always `Oven`.');
});

test('the own words of the catalogue describe a field at its path or at the path of each variant, after the packages', () => {
  const meanings = { door: 'Where one looks in.', 'parts.*.power': 'How much it needs.' };
  expect(shareOf(fieldsOf(kind), { texts: new Map() }, meanings).missing).not.toContain('spec.parts.heater.power');
  expect(meaningAt(meanings, 'spec.parts.heater.power')).toBe('How much it needs.');
  expect(meaningAt(meanings, 'spec.parts.power')).toBeUndefined();
  expect(meaningAt(meanings, 'status.door')).toBeUndefined();

  const names = { group: 'a', plural: 'a', singular: 'a', shortNames: [], versions: [] };
  const entry = { ...names, ...kind, meanings };
  const of = (texts: Record<string, string>) => definitionTexts(entry, new Map(Object.entries(texts)))['spec.door'];
  expect([of({}), of({ 'spec.door': 'Glass.' })]).toEqual(['Where one looks in.', 'Glass.']);
  const lines = typesFile({
    ...entry,
    arm: { ...kind.arm, owner: null, operatorSpec: { secrets: [], configMaps: [] } },
  });
  expect(lines).toContain('* Where one looks in. At most 2.');
});

test('each sentence of the catalogue is about a field that its kind has', () => {
  const wrong = readCatalogue()
    .map(mergeVersions)
    .flatMap((entry) => {
      const paths = withFieldsBelow(fieldsOf(entry)).flatMap(({ path, tree }) => (tree ? [path.slice(5)] : []));
      return Object.entries(entry.meanings ?? {})
        .filter(([at, text]) => !/^[A-Z].*\.$/.test(text) || !paths.some((path) => isPathOf(at, path)))
        .map(([at]) => `${idOf(entry)} ${at}`);
    });
  expect(wrong).toEqual([]);
});

test('definitions have the texts of packages, then those of each resource in Azure, then the words of the catalogue', () => {
  const arm = {
    ...kind.arm,
    fields: {
      type: 'object',
      properties: {
        heat: { type: 'integer' },
        door: { type: 'integer', maximum: 2 },
        kind: { type: 'string', enum: ['Oven'] },
      },
    },
    status: { systemData: { createdAt: 'string' }, heat: 'integer' },
  } as unknown as ArmKind;
  const entry = { ...kind, group: 'a', plural: 'a', singular: 'a', shortNames: [], versions: [], arm };
  expect(definitionTexts(entry, new Map([['spec.heat', 'Degrees.']]))).toEqual({
    'spec.heat': 'Degrees.',
    'spec.kind': 'Always `Oven`.',
    'status.systemData': 'When and by whom the resource was created and changed.',
    'status.systemData.createdAt': 'When it was created.',
  });
});
