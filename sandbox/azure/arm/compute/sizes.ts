import { at, type Json, stringOf } from '../../json.ts';
import { isScaleSet } from './profile.ts';

/** A size of machines as `usages` counts it. */
export interface MachineSize {
  readonly cores: number;
  /** Name of its family among the usages, such as standardDSv3Family. */
  readonly family: string;
}

/** Cores of the series whose number in the name is a rank: Standard_D3_v2 has 4. By that number. */
const d = { 1: 1, 2: 2, 3: 4, 4: 8, 5: 16, 11: 2, 12: 4, 13: 8, 14: 16, 15: 20 };
const g = { 1: 2, 2: 4, 3: 8, 4: 16, 5: 32 };
const ranked: Readonly<Record<string, Readonly<Record<number, number>>>> = {
  A: { 0: 1, 1: 1, 2: 2, 3: 4, 4: 8, 5: 2, 6: 4, 7: 8, 8: 8, 9: 16, 10: 8, 11: 16 },
  D: d,
  DS: d,
  Dv2: d,
  DSv2: d,
  G: g,
  GS: g,
};

/** Cores and family of a size by its name; one core of no family for a name of another form. */
export function machineSize(name: string): MachineSize {
  const parts = /^(Standard|Basic)_([A-Z]+)(\d+)(?:-(\d+))?([a-z]*)(?:_v(\d+))?$/i.exec(name);
  if (!parts) return { cores: 1, family: '' };
  const [, tier = '', letters = '', number = '', constrained, features = '', version] = parts;
  const series = `${letters.toUpperCase()}${features.toUpperCase().replace(/[^S]/g, (each) => each.toLowerCase())}`;
  const generation = version === undefined ? '' : `v${version}`;
  const rank = ranked[`${series}${generation}`];
  const cores = rank ? (rank[Number(number)] ?? 1) : Number(constrained ?? number);
  if (rank === ranked['A']) {
    const sizes = Number(number) < 8 ? 'A0_A7' : 'A8_A11';
    return { cores, family: tier.toLowerCase() === 'basic' ? 'basicAFamily' : `standard${sizes}Family` };
  }
  return { cores, family: `standard${series}${generation}Family` };
}

/** The cores that this many machines of a body need, by the name of their usage. Spot machines have a usage of their own. */
export function coresByUsage(type: string, body: Json | undefined, machines: number): Map<string, number> {
  const set = isScaleSet(type);
  const { cores, family } = machineSize(stringOf(at(body, set ? 'sku.name' : 'properties.hardwareProfile.vmSize')));
  const priority = at(body, set ? 'properties.virtualMachineProfile.priority' : 'properties.priority');
  const spot = /^(spot|low)$/i.test(stringOf(priority));
  const names = spot ? ['lowPriorityCores'] : ['cores', ...(family === '' ? [] : [family])];
  return new Map(names.map((name) => [name, cores * machines]));
}
