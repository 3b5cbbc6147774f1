/** Steps of `.ci/run`: alone, and two at a time. */
import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';

const folder = mkdtempSync(join(tmpdir(), 'azimuth-steps-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs steps, which find what was printed in the file OUT. */
function run(script: string) {
  const lines = ['set -euo pipefail', 'source .ci/steps.sh', script];
  const OUT = join(folder, 'out');
  const file = openSync(OUT, 'w');
  const { status } = spawnSync('bash', ['-c', lines.join('\n')], {
    stdio: ['ignore', file, 'ignore'],
    env: { ...process.env, OUT },
  });
  closeSync(file);
  const stdout = readFileSync(OUT, 'utf8');
  const table = stdout.slice(stdout.indexOf(' minutes '));
  return { status, stdout, rows: [...table.matchAll(/^ +[\d.]+ +[\d.]+ +[\d.-]+% +(.+)$/gm)].map(([, name]) => name) };
}

test('steps run two at a time, each prints its output when it ends, and a table has all of them', () => {
  const { status, stdout, rows } = run(`
    pair=$(mktemp -d)
    # Each waits for the other one.
    meet() { touch "$pair/$1"; until [ -e "$pair/$2" ]; do sleep 0.05; done; echo "$1 met $2"; }
    alone first echo one 'two  words'
    beside left meet a b
    beside right meet b a
    beside third echo three
    together
    rm -r "$pair"`);
  expect(status).toBe(0);
  expect(stdout).toMatch(/== first.*\none two {2}words\n/);
  for (const text of ['a met b', 'b met a', 'three']) expect(stdout).toContain(`\n${text}\n`);
  expect(rows.slice(0, 1)).toEqual(['first']);
  expect(rows.slice(1, 4).sort()).toEqual(['left', 'right', 'third']);
  expect(rows.at(-1)).toBe('total');
});

test('after a step that failed no other one starts, what runs goes on, and the output of the failed one is last', () => {
  const { status, stdout, rows } = run(`
    fails() { echo before; false; echo after; }
    works() { until grep -q 'broken: FAILED' "$OUT"; do sleep 0.05; done; echo done; }
    beside works works
    beside broken fails
    beside never echo never
    together
    echo never`);
  expect(status).toBe(1);
  expect(stdout).not.toMatch(/^(never|after)$/m);
  expect(stdout).toMatch(/\ndone\n.*\n== FAILED: broken\nbefore\n\n minutes/s);
  expect(stdout).toMatch(/FAILED: broken\n$/);
  expect(rows).toEqual(['broken', 'works', 'total']);
});

test('a step that fails alone ends the run with its status', () => {
  const { status, stdout, rows } = run(`
    alone broken bash -c 'echo why; exit 3'
    echo never`);
  expect(status).toBe(3);
  expect(stdout).toMatch(/== broken.*\nwhy\n\n minutes/);
  expect(stdout).not.toContain('never');
  expect(rows).toEqual(['broken', 'total']);
});

test('a run that is stopped ends the programs of its steps', () => {
  const { status, stdout } = run(`
    export READY=$OUT.ready
    beside endless bash -c 'trap "echo cleaned >&7; exit" TERM; touch "$READY"; while :; do sleep 0.1; done'
    exec 7>&1
    (until [ -e "$READY" ]; do sleep 0.05; done; kill -TERM $$) &
    together`);
  expect(status).toBe(143);
  expect(stdout).toContain('cleaned');
});
