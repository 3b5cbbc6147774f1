import { expect, test } from '@jest/globals';
import { type ArmKindDefinition, kindOf } from '../../runtime/api/kinds.ts';
import { catalogueModel } from '../../runtime/arm-kinds/catalogue-kind.ts';
import { isSecretText } from '../../runtime/arm-kinds/secret-value.ts';
import { type GoVersion, readVersions } from '../../tools/judges/aso-go-types.ts';
import { statusFields } from '../../tools/judges/aso-status-fields.ts';
import { bodiesOf, pathsOfType, pathsOfValue } from './status-paths.ts';

const module = process.env['AZIMUTH_ASO_MODULE'];
if (!module) throw new Error('AZIMUTH_ASO_MODULE is not set: run this file by npm run test:judges -- aso');

/** Paths that statuses of ASO have and ours lack, with the reason. One that a status has fails the run. */
const different: readonly { readonly where: RegExp; readonly path: RegExp; readonly why: string }[] = [
  {
    where: /^network v20250301 /,
    path: /\.ipamPoolPrefixAllocations\[\]\.id$/,
    why: 'it is pool.id, as in Azure',
  },
  {
    where: /^machinelearningservices v\w*20210701 WorkspacesConnection$/,
    path: /^\.(authType|category|target|value|valueFormat)$/,
    why: 'only this old version has no one-of; all versions of an object have one shape',
  },
];

const versions = readVersions(module);
const seen = new Set<unknown>();

/** The paths of ASO's status, of those that show no secret, that ours does not have for the same bodies of Azure. */
function missingPaths({ group, objects, arm }: GoVersion, kind: string): string[] {
  const definition = kindOf(`${group}.azure.com`, kind);
  if (!definition) throw new Error(`${group} ${kind} is no kind of Azimuth`);
  const type = objects.structs.get(kind)?.find(({ json }) => json === 'status')?.type ?? '';
  const model = catalogueModel(definition as ArmKindDefinition);
  const ours = new Set(bodiesOf(arm, type).flatMap((body) => pathsOfValue(model.status(body))));
  return pathsOfType(objects, type)
    .filter((path) => !path.startsWith('.conditions') && !ours.has(path))
    .filter(
      (path) =>
        !isSecretText(
          path
            .split('.')
            .at(-1)
            ?.replace(/(\[\]|\{\})+$/, '') ?? '',
          'text',
        ),
    );
}

test.each(versions.map((each) => [`${each.group} ${each.version}`, each] as const))(
  'the statuses of %s have every field where ASO v2 has it, but for secrets and the listed ones',
  (name, each) => {
    const missing = each.objects.kinds.flatMap((kind) =>
      missingPaths(each, kind).flatMap((path) => {
        const known = different.find(({ where, path: paths }) => where.test(`${name} ${kind}`) && paths.test(path));
        if (known) seen.add(known);
        return known ? [] : [`${kind} ${path}`];
      }),
    );
    expect(missing).toEqual([]);
  },
);

test('each listed difference of a version that the module has is one', () => {
  const names = versions.flatMap(({ group, version, objects }) =>
    objects.kinds.map((kind) => `${group} ${version} ${kind}`),
  );
  const present = different.filter(({ where }) => names.some((name) => where.test(name)));
  expect(present.filter((each) => !seen.has(each))).toEqual([]);
});

test('the catalogue declares every member of these statuses', () => {
  const lacking = [...statusFields(module)].flatMap(([id, members]) => {
    const [group, kind = ''] = id.split('/');
    const declared = (kindOf(`${group}.azure.com`, kind) as ArmKindDefinition).arm.status ?? {};
    return Object.keys(members).flatMap((name) => (name in declared ? [] : [`${id} ${name}`]));
  });
  expect(lacking).toEqual([]);
});

test('the types were read: hundreds of versions of kinds, and the one-ofs of some twenty kinds', () => {
  expect(versions.flatMap(({ objects }) => objects.kinds).length).toBeGreaterThan(500);
  expect(
    versions.flatMap(({ arm }) => [...arm.oneOfs.keys()]).filter((type) => /_STATUS$/.test(type)).length,
  ).toBeGreaterThan(40);
});
