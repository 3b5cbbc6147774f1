import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { replayFiles } from '../../runtime/cli/sandbox/replay-files.ts';
import { sandbox } from '../../runtime/cli/sandbox.ts';
import { scratch } from '../fakes/scratch.ts';

const place = scratch();
afterAll(() => place.remove());

const group = '/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/shop';
const query = 'api-version=2021-04-01';
const written = { id: group, name: 'shop', location: 'westeurope', properties: { provisioningState: 'Succeeded' } };

function file(name: string, content: unknown): string {
  const path = join(place.path, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

async function replayed(...files: string[]): Promise<string> {
  let out = '';
  await replayFiles(files, (text) => {
    out += text;
  });
  return out;
}

test('a replay names what the sandbox answers otherwise, and counts what it leaves out', async () => {
  const requests = [
    { method: 'PUT', path: group, query, body: { location: 'westeurope' }, status: 201, answer: written },
    { method: 'GET', path: group, query, status: 200, answer: { ...written, properties: { extra: true } } },
    { method: 'GET', path: group.replace('shop', 'other'), query, status: 200, answer: written },
    {
      method: 'PUT',
      path: group,
      query,
      body: { location: 'westeurope' },
      status: 409,
      answer: { error: { code: 'x' } },
    },
  ];
  const lines = (await replayed(file('mine.json', { requests }))).trim().split('\n');
  expect(lines).toEqual([
    "mine: 4 requests, 3 compared, 2 with Azure's status",
    '  1 not compared: about what the session did not create, or Azure was busy',
    expect.stringContaining('resourceGroups GET: no properties.extra  (mine)'),
    expect.stringMatching(/GET: properties\.extra is true, here undefined/),
    expect.stringContaining('resourceGroups PUT: CLASS 409, here 200'),
  ]);
});

test('a file that is no session is refused by its name', async () => {
  await expect(replayed(join(place.path, 'none.json'))).rejects.toThrow(/none\.json cannot be read as JSON/);
  await expect(replayed(file('list.json', []))).rejects.toThrow(/list\.json must be an object with a list `requests`/);
  const half = file('half.json', { requests: [{ method: 'GET', path: '/', query: '' }] });
  await expect(replayed(half)).rejects.toThrow(/half\.json needs method, path, query and status in item 0/);
});

test('a replay takes no command and records nothing', async () => {
  const mine = file('both.json', { requests: [] });
  await expect(sandbox(['--replay', mine, '--', 'true'])).rejects.toThrow('--replay takes no command');
  await expect(sandbox(['--replay', mine, '--record', 'new.json'])).rejects.toThrow(/--replay.*absent with --record/);
});
