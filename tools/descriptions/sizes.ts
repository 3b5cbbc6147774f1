/**
 * Prints the sizes of all definitions with and without descriptions, and the share of the fields that `kubectl explain`
 * describes. Needs the built package: `npm run build`.
 *
 *   node tools/descriptions/sizes.ts
 */
import { type CrdOptions, crdManifest } from '../../runtime/api/crd.ts';
import { operatorKinds } from '../../runtime/api/kinds.ts';
import { readFieldTexts } from '../../runtime/api/schema/field-texts.ts';
import type { StructuralSchema } from '../../runtime/api/schema/structural-schema.ts';

/** What kubectl adds to an object that it applies on the client's side must be below this. */
const boundOfApply = 262_144;

/** The fields of a schema at all depths, and how many of them have a description. */
export function describedFields({ properties = {}, items, additionalProperties }: StructuralSchema): {
  readonly described: number;
  readonly all: number;
} {
  let described = 0;
  let all = 0;
  const add = (schema: StructuralSchema | undefined, itself: 0 | 1) => {
    if (typeof schema !== 'object') return;
    const below = describedFields(schema);
    described += below.described + (schema.description ? itself : 0);
    all += below.all + itself;
  };
  for (const child of Object.values(properties)) add(child, 1);
  add(items, 0);
  add(additionalProperties as StructuralSchema | undefined, 0);
  return { described, all };
}

function row(name: string, options: Omit<CrdOptions, 'texts'>, withTexts: boolean): string {
  const texts = withTexts ? readFieldTexts() : {};
  const crds = operatorKinds.map((kind) =>
    crdManifest(kind, { ...options, texts: texts[`${kind.group}/${kind.kind}`] }),
  );
  const sizes = crds.map((crd) => Buffer.byteLength(JSON.stringify(crd)));
  const shown = crds.map(({ spec }) => {
    const fields = spec.versions.map(({ schema }) => describedFields(schema.openAPIV3Schema));
    return fields.reduce((best, each) => (each.described > best.described ? each : best));
  });
  const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
  const share = sum(shown.map(({ described }) => described)) / sum(shown.map(({ all }) => all));
  const cells = [
    name,
    `${(sum(sizes) / 1e6).toFixed(1)} MB`,
    `${Math.round(Math.max(...sizes) / 1e3)} kB`,
    sizes.filter((size) => size > boundOfApply).length,
    `${Math.round(share * 100)} %`,
  ];
  return `| ${cells.join(' | ')} |`;
}

if (import.meta.main) {
  console.log('| served; described | all definitions | the largest | above 262 kB | described fields in explain |');
  console.log('|---|---|---|---|---|');
  for (const versions of ['all', 'newest'] as const) {
    const served = versions === 'all' ? 'every version' : 'the newest';
    console.log(row(`${served}; none`, { versions }, false));
    console.log(row(`${served}; \`newest\``, { versions, descriptions: 'newest' }, true));
    if (versions === 'all') console.log(row(`${served}; \`all\``, { versions, descriptions: 'all' }, true));
  }
}
