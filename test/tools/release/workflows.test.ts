import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';

interface Job {
  readonly if?: string;
  readonly container?: string;
  readonly steps: readonly Step[];
}

interface Step {
  readonly run?: string;
  readonly uses?: string;
  readonly if?: string;
  readonly with?: Readonly<Record<string, string>>;
}

const jobsOf = (name: string): Job[] =>
  Object.values(parse(readFileSync(`.github/workflows/${name}.yml`, 'utf8')).jobs);
const stepsOf = (name: string) => jobsOf(name).flatMap(({ steps }) => steps);

test('the workflows call the scripts of the repository', () => {
  const commands = (name: string) => stepsOf(name).flatMap(({ run }) => run ?? []);
  expect(commands('ci')).toEqual(['bash .ci/run']);
  expect(commands('release').slice(1, 3)).toEqual([
    'npm ci --no-audit --no-fund',
    'npm run release -- --image "$IMAGE"',
  ]);
});

test('a release is made with the Node.js of the lock file', () => {
  const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  const versions = stepsOf('release').flatMap((step) => step.with?.['node-version'] ?? []);
  expect(versions).toEqual([devDependencies.node]);
  expect(jobsOf('release')[0]?.container).toBe(`node:${devDependencies.node}-bookworm`);
});

test('a run by hand publishes nothing', () => {
  const publishing = jobsOf('release').filter(({ steps }) =>
    steps.some(({ run = '', uses = '' }) => /npm publish|gh release|attest|skopeo/.test(`${run} ${uses}`)),
  );
  expect(publishing).toHaveLength(2);
  for (const job of publishing) expect(job.if).toContain("github.ref_type == 'tag'");
});
