import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, expect, test } from '@jest/globals';
import { bundle } from '../../tools/bundle.ts';
import { scratch } from '../fakes/scratch.ts';

const files = scratch();
afterAll(() => files.remove());

test('the bundle of the image serves the page without the sources, and ends with a signal', async () => {
  const image = join(files.path, 'image');
  await bundle(image);
  const kubeconfig = files.write('kubeconfig', {
    clusters: [{ name: 'k', cluster: { server: 'https://127.0.0.1:1' } }],
    contexts: [{ name: 'c', context: { cluster: 'k' } }],
    'current-context': 'c',
  });
  const child = spawn(process.execPath, [join(image, 'azimuth.mjs'), 'ui', '--kubeconfig', kubeconfig], {
    cwd: files.path,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  expect(line).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{43}$/);
  const [address = '', token = ''] = line.split('#token=');
  for (const [path, type] of [
    ['', 'text/html'],
    ['page.js', 'text/javascript'],
    ['layout.js', 'text/javascript'],
    ['style.css', 'text/css'],
  ]) {
    const answer = await fetch(`${address}${path}`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, `${type}; charset=utf-8`]);
    expect((await answer.text()).length).toBeGreaterThan(500);
  }
  const stream = await fetch(`${address}api/stream`, { headers: { authorization: `Bearer ${token}` } });
  expect(stream.status).toBe(502);
  expect(await stream.json()).toMatchObject({ message: expect.stringContaining('no answer from https://127.0.0.1:1') });
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});
