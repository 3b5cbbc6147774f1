import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';

interface Workflow {
  readonly jobs: Readonly<Record<string, { readonly steps: readonly Step[] }>>;
}

interface Step {
  readonly run?: string;
  readonly uses?: string;
  readonly if?: string;
  readonly with?: Readonly<Record<string, string>>;
}

const stepsOf = (name: string) => {
  const { jobs } = parse(readFileSync(`.github/workflows/${name}.yml`, 'utf8')) as Workflow;
  return Object.values(jobs).flatMap(({ steps }) => steps);
};

test('the workflows call the scripts of the repository', () => {
  const commands = (name: string) => stepsOf(name).flatMap(({ run }) => run ?? []);
  expect(commands('ci')).toEqual(['bash .ci/run']);
  expect(commands('release').slice(0, 2)).toEqual([
    'npm ci --no-audit --no-fund',
    'npm run release -- --image "$IMAGE"',
  ]);
});

test('a release is made with the Node.js of the lock file', () => {
  const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  const versions = stepsOf('release').flatMap((step) => step.with?.['node-version'] ?? []);
  expect(versions).toEqual([devDependencies.node]);
});

test('a run by hand publishes nothing', () => {
  const publishing = stepsOf('release').filter(({ run = '', uses = '' }) =>
    /npm publish|gh release|attest/.test(`${run} ${uses}`),
  );
  expect(publishing).toHaveLength(3);
  for (const step of publishing) expect(step.if).toContain("github.ref_type == 'tag'");
});
