import { expect, test } from '@jest/globals';
import { desiredGraph } from '../../../runtime/compute/deployments/desired-graph.ts';
import { strategyOf, strategyProblems } from '../../../runtime/compute/deployments/strategy.ts';
import {
  type DeploymentProblem,
  SubstitutionBudget,
  substitute,
} from '../../../runtime/compute/deployments/substitute.ts';

function run(value: unknown, parameters: Record<string, unknown>) {
  const problems: DeploymentProblem[] = [];
  return { value: substitute(value, 'm', { parameters, budget: new SubstitutionBudget(), problems }), problems };
}

test('a lone placeholder keeps the type of its parameter; in a longer string it becomes text', () => {
  const parameters = { count: 3, zones: ['1', '2'], name: 'web' };
  expect(run({ n: '${count}', z: '${zones}', t: '${name}-${count}' }, parameters)).toEqual({
    value: { n: 3, z: ['1', '2'], t: 'web-3' },
    problems: [],
  });
});

test('a doubled dollar is a literal, and the text of a parameter is not searched again', () => {
  expect(run('$${name} ${name}', { name: '${other}' })).toEqual({ value: '${name} ${other}', problems: [] });
});

test('problems have their path: an unknown parameter, one that exists on every object only, an object inside a text', () => {
  const { problems } = run({ a: ['${missing}'], b: '${constructor}', c: 'x${list}' }, { list: [] });
  expect(problems.map(({ path }) => path)).toEqual(['m.a[0]', 'm.b', 'm.c']);
});

test('depth and length are bounded', () => {
  let deep: unknown = 'x';
  for (let level = 0; level < 5000; level++) deep = [deep];
  expect(run(deep, {}).problems[0]?.message).toContain('more than 64 levels');
  const long = Array.from({ length: 5000 }, () => '${big}');
  expect(run(long, { big: 'x'.repeat(1000) }).problems[0]?.message).toContain('characters with their parameters');
});

test('waves become barriers, and parallelism lets so many locations of a wave go on side by side', () => {
  const strategy = strategyOf({ waves: [['a'], ['b', 'c', 'd']], parallelism: 2, pauseBetween: '1m' }, [
    'a',
    'b',
    'c',
    'd',
    'e',
  ]);
  const after = (group: string) => ({ group, until: 'Succeeded' });
  expect(desiredGraph('run', [], strategy).groups).toEqual([
    { name: 'a', after: [] },
    { name: 'b', after: [after('a')], pauseMs: 60_000 },
    { name: 'c', after: [after('a')], pauseMs: 60_000 },
    { name: 'd', after: [after('b')] },
    { name: 'e', after: ['b', 'c', 'd'].map(after), pauseMs: 60_000 },
  ]);
});

test('a wave names locations of the spec, and each of them once', () => {
  const spec = { locations: [{ name: 'a' }], strategy: { waves: [['a'], ['a', 'b']] }, template: {} };
  expect(strategyProblems(spec).map(({ message }) => message)).toEqual([
    'a is in two waves: remove one',
    'b is not among spec.locations: add it there, or remove it here',
  ]);
});
