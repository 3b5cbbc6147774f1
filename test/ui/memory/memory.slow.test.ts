/** Readers who try to use up the memory of the page, with the limits of its container. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { memoryVariables, nodeOptions } from '../../../constructs/private/node-options.ts';
import { issueCertificate } from '../../fakes/certificates.ts';
import { eventually } from '../../fakes/eventually.ts';
import { type Scratch, scratch } from '../../fakes/scratch.ts';
import { canMount, type PageProcess, startPageProcess } from '../page-process.ts';
import { Stream } from '../support.ts';

if (!canMount) test.skip('NOT RUN: a mount namespace needs root; CI runs this', () => undefined);

/** Memory of the container, by default. */
const mebibytes = 512;
/** Rows of a page that is not attacked. */
const rows = 60;
const limitMs = 150_000;

(canMount ? describe : describe.skip)('the page in a container of 512 MiB', () => {
  let files: Scratch;
  let api: ChildProcess;
  let page: PageProcess;
  const streams: Stream[] = [];

  beforeEach(async () => {
    files = scratch();
    const { cert, key } = issueCertificate({ commonName: 'localhost', ca: true });
    const program = ['test/ui/memory/hostile-api.ts', files.write('api.crt', cert), files.write('api.key', key)];
    api = spawn(process.execPath, program, { stdio: ['ignore', 'pipe', 'inherit'] });
    const [port] = (await once(api.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
    const server = `https://127.0.0.1:${String(port).trim()}`;
    page = await startPageProcess({
      server,
      ca: cert,
      files,
      env: { NODE_OPTIONS: nodeOptions(mebibytes), ...memoryVariables },
    });
  }, 120_000);
  afterEach(() => {
    for (const stream of streams.splice(0)) stream.close();
    page?.child.kill('SIGKILL');
    api?.kill('SIGKILL');
    files?.remove();
  });

  const open = (token: string) => {
    const stream = new Stream(`${page.url}api/stream`, { authorization: `Bearer ${token}` });
    streams.push(stream);
    return stream;
  };
  /** 24 pages of three users. */
  const openMany = (attack: string) =>
    Array.from({ length: 24 }, (_, index) => open(`${attack}.mallory-${index % 3}.${index}`));

  const expectToLive = () => {
    expect(page.output()).not.toContain('heap out of memory');
    expect(page.peakMebibytes()).toBeLessThan(mebibytes);
  };
  /** Whether a page has all rows. On a busy machine it may not reach the API server in time; its reader opens it again. */
  const isWhole = async (token: string) => {
    expectToLive();
    const stream = open(token);
    await stream.complete(limitMs);
    if (stream.rows.size < rows) stream.close();
    return stream.rows.size === rows;
  };

  test.each([
    ['many objects with many references', 'rows'],
    ['lists of large objects of many kinds', 'lists'],
    ['events of large objects of many kinds at the same time', 'events'],
  ])(
    '%s end no page of another reader',
    async (_, attack) => {
      const before = open('none.alice');
      await before.complete();
      expect(before.rows.size).toBe(rows);
      const attacks = openMany(attack);
      const begun = () => attacks.some(({ ended, kinds }) => ended || kinds.some(({ state }) => state === 'listed'));
      await eventually('the attack is under way', begun);
      await new Promise((resolve) => setTimeout(resolve, 10_000));
      await eventually('another reader has all rows', () => isWhole('none.bob'), limitMs);
      expectToLive();
      expect([before.rows.size, before.ended]).toEqual([rows, false]);
    },
    2 * limitMs,
  );
});
