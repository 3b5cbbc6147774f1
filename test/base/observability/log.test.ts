import { expect, test } from '@jest/globals';
import { createLogger } from '../../../runtime/base/observability/log.ts';

function logged(write: (log: ReturnType<typeof createLogger>) => void): Record<string, unknown>[] {
  const lines: string[] = [];
  write(createLogger('test', { destination: { write: (line: string) => void lines.push(line) } }));
  return lines.map((line) => JSON.parse(line));
}

test('a line is one JSON object with level, time, program, fields and message', () => {
  const [line] = logged((log) => log.child({ controller: 'x' }).info({ object: 'a/b' }, 'Reconciled'));
  expect(line).toMatchObject({ level: 'info', program: 'test', controller: 'x', object: 'a/b', msg: 'Reconciled' });
  expect(line?.['time']).toMatch(/^\d{4}-\d\d-\d\dT/);
});

test('members that are secret by their name are dropped, also one level down', () => {
  const lines = logged((log) =>
    log.info({ token: 'S3CRET', body: { client_secret: 'S3CRET', client_id: 'id' } }, 'Asked'),
  );
  expect(JSON.stringify(lines)).not.toContain('S3CRET');
  expect(lines[0]).toMatchObject({ body: { client_id: 'id' } });
});

test('debug lines need the level', () => {
  expect(logged((log) => log.debug({}, 'Detail'))).toEqual([]);
});

test('no line has a key twice, whatever its parents and itself are called', () => {
  const lines: string[] = [];
  const log = createLogger('test', { destination: { write: (line) => void lines.push(line) } });
  log.child({ name: 'object', kind: 'A' }).child({ name: 'inner' }).info({ name: 'own', kind: 'B' }, 'Said');
  const [line = ''] = lines;
  const keys = [...line.matchAll(/"([a-z]+)":/g)].map(([, key]) => key);
  expect(keys).toEqual([...new Set(keys)]);
  expect(JSON.parse(line)).toMatchObject({ program: 'test', name: 'own', kind: 'B', msg: 'Said' });
});
