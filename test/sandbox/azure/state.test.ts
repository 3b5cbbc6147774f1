import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { type Logger, silentLogger } from '../../../runtime/base/observability/log.ts';
import { StateStore } from '../../../sandbox/azure/state.ts';
import { until } from '../../fakes/eventually.ts';

const directory = mkdtempSync(join(tmpdir(), 'azimuth-state-'));

afterEach(() => rmSync(directory, { recursive: true, force: true }));

test('a state that is too long for a string is reported, and the file keeps the one before', async () => {
  const file = join(directory, 'state.json');
  const errors: { err?: Error }[] = [];
  const log: Logger = { ...silentLogger, error: (fields) => errors.push(fields) };
  const store = new StateStore(file, log);
  store.data.counter = 7;
  store.flush();
  const tooLong = () => {
    throw new RangeError('Invalid string length');
  };
  Object.assign(store.data, { counter: 8, toJSON: tooLong });
  store.changed();
  await until('an error is logged', () => errors.length > 0);
  expect(errors.map(({ err }) => err?.message)).toEqual(['Invalid string length']);
  expect(JSON.parse(readFileSync(file, 'utf8')).counter).toBe(7);
  Object.assign(store.data, { toJSON: undefined });
  store.changed();
  await until('the state is saved', () => JSON.parse(readFileSync(file, 'utf8')).counter === 8);
});
